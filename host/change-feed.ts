/** What the table's stream is in the cloud: feeds the events handler with the changes, in order, one batch at a time. */
import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import type { SequencedChange } from "#lib/model/change.ts";
import type { Changes } from "#lib/adapters/sqlite/changes.ts";
import { lambdaContext, streamEvent } from "./lambda-events.ts";

export type StreamHandler = (
  event: DynamoDBStreamEvent,
  context: Context,
) => Promise<DynamoDBBatchResponse>;

const BATCH_CHANGES_MAX = 100;
/**
 * Between two rounds. A busy engine makes a change a millisecond, and a batch of one costs nearly what
 * a batch of a hundred does; nobody who looks on sees the difference.
 */
const ROUND_MS_MIN = 20;
const RETRY_MS = 1_000;
const HANDLER_MS_MAX = 60_000;

export interface ChangeFeed {
  wake(): void;
  /** Answers when every change that there is has become an event, or has failed once more. */
  stop(): Promise<void>;
}

export const startChangeFeed = (changes: Changes, handler: StreamHandler): ChangeFeed => {
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
    if ((await feedChanges(changes, handler, Date.now)) === "failed") schedule(RETRY_MS);
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

/** Until there is none left, or one has failed: that one stays, and those after it. `now` is what events get as their time. */
export const feedChanges = async (
  changes: Changes,
  handler: StreamHandler,
  now: () => number,
): Promise<"all fed" | "failed"> => {
  for (;;) {
    const batch = changes.read(BATCH_CHANGES_MAX);
    if (batch.length === 0) return "all fed";
    const done = await deliver(batch, handler, now());
    const last = done.at(-1);
    if (last) changes.deleteUpTo(last.sequence);
    if (done.length < batch.length) return "failed";
    // Everything else gets its turn between two batches.
    await new Promise((resolve) => setImmediate(resolve));
  }
};

/** Those that went before the first failure. */
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
