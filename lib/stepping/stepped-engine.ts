/** What step mode needs of the process that runs the engine: a host, or a page of a browser. */
import type { Stack } from "#lib/model/stack.ts";
import type { Clock } from "#lib/ports/clock.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type {
  ReceivableQueue,
  ReceivedMessage,
  ReceivingQueue,
} from "#lib/ports/receiving-queue.ts";
import type { FaultyFakeProvider } from "./fake-provider-faults.ts";

/** Stands still, and jumps to the next due time. So nothing depends on how long somebody waits. */
export interface SteppedClock extends Clock {
  advance(ms: number): void;
}

/** What is shown of an engine. */
export interface ShownEngine {
  readonly ports: Ports;
  readonly queue: Pick<ReceivingQueue, "messages">;
  /** Of all tenants. */
  stacksNamed(name: string): readonly Stack[];
  /** The SyncPoints of these traversals. */
  countSyncPoints(traversalIds: readonly string[]): number;
}

export interface SteppedEngine extends ShownEngine {
  readonly queue: ReceivingQueue;
  readonly clock: SteppedClock;
  readonly faults: FaultyFakeProvider;
  /**
   * Works on messages that were received of a queue, within this time. Returns the ids of those
   * that were not handled. Never throws.
   */
  handle(
    queue: ReceivableQueue,
    messages: readonly ReceivedMessage[],
    limitMs: number,
  ): Promise<ReadonlySet<string>>;
  /** Makes events of all changes so far. */
  feed(): Promise<void>;
  purgeExpired(now: number): void;
}
