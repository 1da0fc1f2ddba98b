/**
 * The host's table stream: makes events of changes, in order, one batch at a time. On AWS a
 * function does that, which first has to parse DynamoDB's form of each change (functions/events).
 */
import { logger } from "#functions/logger.ts";
import type { Changes } from "#lib/adapters/sqlite/changes.ts";
import { eventsOfChange } from "#lib/engine/events-of-change.ts";
import type { RetiringPorts } from "#lib/engine/retire-stack.ts";
import { writeEvents } from "#lib/engine/write-events.ts";
import { RetryLater } from "#lib/errors.ts";
import type { SequencedChange } from "#lib/model/change.ts";
import type { Ports } from "#lib/ports/ports.ts";

/**
 * Events have random ids, so each batch writes most pages of their index. A larger batch writes
 * them less often.
 */
const BATCH_CHANGES_MAX = 250;
/**
 * The pause between two rounds. A busy engine makes a change each millisecond, and a batch of a
 * hundred costs little more than a batch of one.
 */
const ROUND_MS_MIN = 20;
const RETRY_MS = 1_000;

type FeedPorts = RetiringPorts & Pick<Ports, "ids">;

/** Hears of changes whose events are written. It must be quick and must not throw. */
type Fed = (changes: readonly SequencedChange[]) => void;

export interface ChangeFeed {
  wake(): void;
  /** Resolves when every change has become an event, or has failed once more. */
  stop(): Promise<void>;
}

export const startChangeFeed = (changes: Changes, ports: FeedPorts, fed: Fed): ChangeFeed => {
  let round: Promise<void> | null = null;
  /** A change came while the round read others. */
  let isBehind = false;
  let stopped = false;
  let restedSince = Number.NEGATIVE_INFINITY;
  /** Set while a round is due. */
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
 * Makes events of the changes that are there. After a failure that batch and all after it are still
 * there, and their events keep their ids. The time of reading becomes the time of the events, so
 * they keep the order of the changes.
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
    // Everything else gets its turn between two batches.
    await new Promise((resolve) => setImmediate(resolve));
    // A chain makes one change after the other. Each alone would be a batch with its own commits.
  } while (batch.length === BATCH_CHANGES_MAX);
};
