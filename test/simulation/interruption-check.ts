/** P3.4 and P12: operations that are ended from outside, and whether they were rightly. */
import type { Resource } from "#lib/convergence/model.ts";
import { Violation } from "./checkers.ts";

const INTERRUPTED = /(overtaken|timed out)$/;

export class InterruptionCheck {
  /** Operations whose signal was counted. */
  readonly #counted = new Set<string>();
  /** Number of the last row whose operation timed out. */
  timedOutAt = -1;

  rowWritten(before: Resource | null, after: Resource, isSignal: boolean, now: number): void {
    if (before?.operation == null) return;
    const key = `${before.id}/${before.operation.generation}`;
    if (isSignal) this.#counted.add(key);
    if (after.operation !== null || !INTERRUPTED.test(after.statusReason)) return;
    if (this.#counted.has(key)) {
      throw new Violation(
        `P12: ${after.name} ends ${after.statusReason} although its result is there`,
      );
    }
    if (!after.statusReason.endsWith("timed out")) return;
    this.timedOutAt = after.number;
    if (now < before.operation.deadline) {
      throw new Violation(`P3.4: ${after.name} times out before its deadline`);
    }
  }
}
