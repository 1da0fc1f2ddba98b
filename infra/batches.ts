/**
 * How many messages or records one invocation gets, and how long they gather for it. The cost model
 * (tools/bench/cost) uses the same figures.
 */
import type { QueueName } from "#lib/ports/queue.ts";

export interface BatchSize {
  readonly max: number;
  readonly windowSeconds: number;
}

/**
 * Clients do not notice a second of delay of an event, and a busy stack fills a batch in a second.
 */
export const STREAM_BATCH: BatchSize = { max: 100, windowSeconds: 1 };

/**
 * Messages of the graph never wait. Polls arrive one by one, so their window saves nine tenths of
 * the invocations.
 */
export const QUEUE_BATCHES: Readonly<Record<QueueName, BatchSize>> = {
  prepare: { max: 1, windowSeconds: 0 },
  check: { max: 10, windowSeconds: 0 },
  poll: { max: 10, windowSeconds: 1 },
};
