/** What step mode needs of its process, which is a host or a browser page. */
import type { Stack } from "#lib/model/stack.ts";
import type { Clock } from "#lib/ports/clock.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type {
  ReceivableQueue,
  ReceivedMessage,
  ReceivingQueue,
} from "#lib/ports/receiving-queue.ts";
import type { FaultyFakeProvider } from "./fake-provider-faults.ts";

/** The clock stands still and jumps to the next due time, so results do not depend on real time. */
export interface SteppedClock extends Clock {
  advance(ms: number): void;
}

export interface ShownEngine {
  readonly ports: Ports;
  readonly queue: Pick<ReceivingQueue, "messages">;
  stacksNamed(name: string): readonly Stack[];
  countSyncPoints(traversalIds: readonly string[]): number;
}

export interface SteppedEngine extends ShownEngine {
  readonly queue: ReceivingQueue;
  readonly clock: SteppedClock;
  readonly faults: FaultyFakeProvider;
  /** @returns the ids of the messages that were not handled. Never throws. */
  handle(
    queue: ReceivableQueue,
    messages: readonly ReceivedMessage[],
    limitMs: number,
  ): Promise<ReadonlySet<string>>;
  feed(): Promise<void>;
  purgeExpired(now: number): void;
}
