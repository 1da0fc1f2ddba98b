/**
 * How many messages or records one invocation gets, and how long they gather for it. The cost model
 * (bench/cost) counts with these figures.
 */
import type { QueueName } from "#lib/ports/queue.ts";

export interface BatchSize {
  readonly max: number;
  /** Zero: an invocation begins as soon as there is one. */
  readonly windowSeconds: number;
}

/** A second is less than clients notice of an event, and a busy stack fills a batch in it. */
export const STREAM_BATCH: BatchSize = { max: 100, windowSeconds: 1 };

/**
 * The messages of the graph never wait. Polls come one by one, each a while after its call. Their
 * window makes a tenth of the invocations.
 */
export const QUEUE_BATCHES: Readonly<Record<QueueName, BatchSize>> = {
  prepare: { max: 1, windowSeconds: 0 },
  check: { max: 10, windowSeconds: 0 },
  poll: { max: 10, windowSeconds: 1 },
};
