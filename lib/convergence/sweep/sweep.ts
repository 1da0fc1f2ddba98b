/**
 * The sweeper (P11) repairs the loss of any message. A round looks at every stack that has not
 * settled. A round that is cut off leaves a cursor, and the next round goes on from there.
 */
import { Bug, RetryLater } from "#lib/errors.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { StackKey } from "#lib/ports/store.ts";
import {
  OVERDUE_MS_MIN,
  SWEEP_REMAINING_MS_MIN,
  SWEEP_ROUND_MS_MAX,
  SWEPT_STACKS_PARALLEL_MAX,
  UNSETTLED_PAGE_STACKS_MAX,
} from "../limits.ts";
import { Backlog, sweepStack } from "./sweep-stack.ts";

export interface SweepOptions {
  /** 0 when the embedded host starts, because then no message is under way. */
  readonly overdueMsMin?: number;
  readonly remainingMs?: () => number;
  readonly retire?: (stack: Stack) => Promise<unknown>;
  /** The queue drops a message that it holds already, so a backlog gets no duplicates. */
  readonly dropsHeld?: boolean;
}

export interface SweepReport {
  readonly stacks: number;
  readonly sent: number;
}

export const sweep = async (ports: Ports, options: SweepOptions = {}): Promise<SweepReport> => {
  const { overdueMsMin = OVERDUE_MS_MIN, dropsHeld = false, retire = leaveAlone } = options;
  const limits = { overdueMsMin, backlog: dropsHeld ? null : new Backlog(ports), retire };
  const stacks = unsettledStacks(ports, timeLimit(ports, options));
  const failures: unknown[] = [];
  const report = { stacks: 0, sent: 0 };
  const sweepInTurn = async (): Promise<void> => {
    for await (const key of stacks) {
      report.stacks++;
      try {
        // `report.sent += await …` would read the sum before the await, and lose what others add.
        const sent = await sweepStack(ports, key, limits);
        report.sent += sent;
      } catch (error) {
        // A stack that cannot be swept must not stop the round. The error is thrown at the end.
        failures.push(failureOf(key, error));
      }
    }
  };
  const workers = Array.from({ length: SWEPT_STACKS_PARALLEL_MAX }, sweepInTurn);
  for (const worker of await Promise.allSettled(workers)) {
    if (worker.status === "rejected") failures.push(worker.reason);
  }
  if (failures.length > 0) throw worstOf(failures);
  return report;
};

const leaveAlone = (): Promise<void> => Promise.resolve();

const timeLimit = (ports: Ports, { remainingMs }: SweepOptions): (() => boolean) => {
  const endsAt = ports.clock.now() + SWEEP_ROUND_MS_MAX;
  return () =>
    ports.clock.now() < endsAt &&
    (remainingMs === undefined || remainingMs() > SWEEP_REMAINING_MS_MIN);
};

/**
 * The cursor passes a page before its stacks are swept: if a stack kills its round, the next round
 * does not begin at the same place.
 */
async function* unsettledStacks(
  ports: Ports,
  hasTime: () => boolean,
): AsyncGenerator<StackKey, void, undefined> {
  let stored = await ports.store.sweepCursor();
  const moveCursor = async (cursor: StackKey | null): Promise<void> => {
    if (stored !== null || cursor !== null) await ports.store.putSweepCursor(cursor);
    stored = cursor;
  };
  let after = stored;
  let last = stored;
  do {
    const page = await ports.store.listUnsettledStacks(after, UNSETTLED_PAGE_STACKS_MAX);
    await moveCursor(page.next);
    for (const key of page.stacks) {
      if (!hasTime()) return moveCursor(last);
      last = key;
      yield key;
    }
    after = page.next;
  } while (after !== null);
}

const failureOf = ({ id }: StackKey, error: unknown): unknown =>
  error instanceof RetryLater ? error : new Bug(`stack ${id} cannot be swept`, { cause: error });

const worstOf = (failures: readonly unknown[]): unknown =>
  failures.find((failure) => !(failure instanceof RetryLater)) ?? failures[0];
