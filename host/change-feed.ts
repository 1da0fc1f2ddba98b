/**
 * The host's table stream: feeds the events handler with changes, in order, one batch at a time.
 */
import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import { logger } from "#functions/logger.ts";
import type { Changes } from "#lib/adapters/sqlite/changes.ts";
import { RetryLater } from "#lib/errors.ts";
import type { SequencedChange } from "#lib/model/change.ts";
import { lambdaContext, streamEvent } from "./lambda-events.ts";

export type StreamHandler = (
  event: DynamoDBStreamEvent,
  context: Context,
) => Promise<DynamoDBBatchResponse>;

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
const HANDLER_MS_MAX = 60_000;

/** Hears of changes whose events are written. It must be quick and must not throw. */
type Fed = (changes: readonly SequencedChange[]) => void;

export interface ChangeFeed {
  wake(): void;
  /** Resolves when every change has become an event, or has failed once more. */
  stop(): Promise<void>;
}

/** `now` becomes the time of the events. */
export const startChangeFeed = (
  changes: Changes,
  handler: StreamHandler,
  now: () => number,
  fed: Fed = () => undefined,
): ChangeFeed => {
  let round: Promise<void> | null = null;
  let stopped = false;
  let restedSince = Number.NEGATIVE_INFINITY;
  /** Set while a round is due. */
  let timer: NodeJS.Timeout | undefined;

  const schedule = (delayMs: number): void => {
    if (timer !== undefined || stopped) return;
    timer = setTimeout(() => {
      timer = undefined;
      round ??= drain().finally(() => {
        round = null;
        restedSince = performance.now();
      });
    }, delayMs);
  };

  const wake = (): void => schedule(Math.max(0, restedSince + ROUND_MS_MIN - performance.now()));

  const drain = async (): Promise<void> => {
    if ((await feedOrFail()) === "failed") schedule(RETRY_MS);
  };

  const feedOrFail = async (): Promise<"all fed" | "failed"> => {
    try {
      return await feedChanges(changes, handler, now, fed);
    } catch (error) {
      if (!(error instanceof RetryLater)) logger.error("the changes were not read", error);
      return "failed";
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
 * Feeds changes until none is left or one fails. That one and all after it stay. `now` becomes the
 * time of the events.
 */
export const feedChanges = async (
  changes: Changes,
  handler: StreamHandler,
  now: () => number,
  fed: Fed = () => undefined,
): Promise<"all fed" | "failed"> => {
  for (;;) {
    const batch = changes.read(BATCH_CHANGES_MAX);
    if (batch.length === 0) return "all fed";
    const done = await deliver(batch, handler, now());
    const last = done.at(-1);
    if (last) await changes.deleteUpTo(last.sequence);
    fed(done);
    if (done.length < batch.length) return "failed";
    // Everything else gets its turn between two batches.
    await new Promise((resolve) => setImmediate(resolve));
  }
};

/** Returns the changes before the first failure. */
const deliver = async (
  batch: readonly SequencedChange[],
  handler: StreamHandler,
  now: number,
): Promise<readonly SequencedChange[]> => {
  const answer = await handler(streamEvent(batch, now), lambdaContext("events", HANDLER_MS_MAX));
  const failed = new Set(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  const firstFailed = batch.findIndex(({ sequence }) => failed.has(String(sequence)));
  return firstFailed < 0 ? batch : batch.slice(0, firstFailed);
};
