/**
 * The host's counterpart of a DynamoDB stream: turns changes into events, in order, one batch at a
 * time. On AWS, functions/events does the same after it has parsed the stream's records.
 */

import { setTimeout as pause } from "node:timers/promises";
import { logger } from "#functions/logger.ts";
import type { Changes } from "#lib/adapters/sqlite/changes.ts";
import { eventsOfChange } from "#lib/engine/events/project-events.ts";
import { writeEvents } from "#lib/engine/events/write-events.ts";
import type { RetiringPorts } from "#lib/engine/stacks/retire-stack.ts";
import { RetryLater } from "#lib/errors.ts";
import type { SequencedChange } from "#lib/model/event.ts";
import type { Ports } from "#lib/ports/ports.ts";

/**
 * Events have random ids, so each batch writes most pages of the events' index. Larger batches
 * write these pages less often.
 */
const BATCH_CHANGES_MAX = 250;
/**
 * The pause between two rounds. A busy engine makes a change each millisecond, and a batch of a
 * hundred costs little more than a batch of one.
 */
const ROUND_MS_MIN = 20;
const RETRY_MS = 1_000;

type FeedPorts = RetiringPorts & Pick<Ports, "ids">;

/** Called after the events of these changes are written. It must be quick and must not throw. */
type Fed = (changes: readonly SequencedChange[]) => void;

interface ChangeFeed {
  wake(): void;
  stop(): Promise<void>;
}

export const startChangeFeed = (changes: Changes, ports: FeedPorts, fed: Fed): ChangeFeed => {
  let round: Promise<void> | null = null;
  let isBehind = false;
  let stopped = false;
  let restedSince = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const schedule = (delayMs: number): void => {
    if (timer !== undefined || stopped) return;
    timer = setTimeout(() => {
      timer = undefined;
      isBehind = false;
      round = drain().finally(() => {
        round = null;
        restedSince = performance.now();
        if (isBehind) wake();
      });
    }, delayMs);
  };

  const wake = (): void => {
    if (round !== null) isBehind = true;
    else schedule(Math.max(0, restedSince + ROUND_MS_MIN - performance.now()));
  };

  const drain = async (): Promise<void> => {
    try {
      await feedChanges(changes, ports, fed);
    } catch (error) {
      if (!(error instanceof RetryLater)) logger.error("the events were not written", error);
      schedule(RETRY_MS);
    }
  };

  schedule(0);
  return {
    wake,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await round;
      await drain();
    },
  };
};

/**
 * Turns the recorded changes into events. If a batch fails, it and all later changes stay in the
 * feed, and the next attempt gives their events the same ids. An event's time is the time of
 * reading, so events keep the order of the changes.
 */
export const feedChanges = async (changes: Changes, ports: FeedPorts, fed: Fed): Promise<void> => {
  let batch: readonly SequencedChange[];
  do {
    batch = changes.read(BATCH_CHANGES_MAX);
    const last = batch.at(-1);
    if (last === undefined) return;
    const now = ports.clock.now();
    const events = batch.flatMap((change) => eventsOfChange(ports.ids, change, now));
    await writeEvents(ports, events);
    await changes.deleteUpTo(last.sequence);
    fed(batch);
    await new Promise((resolve) => setImmediate(resolve));
    // A smaller batch means that the feed has caught up. A chain of visits makes one change after
    // the other, and reading again at once would write each with its own commits.
  } while (batch.length === BATCH_CHANGES_MAX);
};

const LOOK_MS = 5;
/** If the feed is behind or fails, the list is answered without the missing events. */
const WAIT_MS_MAX = 1_000;

const EVENTS = /^\/v1\/[^/]+\/stacks\/[^/]+(\/[^/]+)?(\/resources\/[^/]+)?\/events(\/[^/]*)?\/?$/;

export const listsEvents = (method: string, path: string): boolean =>
  method === "GET" && EVENTS.test(path);

/**
 * A client that has seen a change must find its event too. So a list of events waits until the
 * change feed has written the events of all earlier changes.
 */
export const eventsWritten = async (changes: Pick<Changes, "read" | "newest">): Promise<void> => {
  const newest = changes.newest();
  const until = performance.now() + WAIT_MS_MAX;
  const isBehind = (): boolean => {
    const [oldest] = changes.read(1);
    return newest !== null && oldest !== undefined && oldest.sequence <= newest;
  };
  while (isBehind() && performance.now() < until) await pause(LOOK_MS);
};
