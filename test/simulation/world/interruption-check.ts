/** P3.4 and P12: checks that an operation was ended from outside for a valid reason. */
import { isDeepStrictEqual } from "node:util";
import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import type { Operation, Resource } from "#lib/model/resource.ts";
import { isGroup, isNested, type ResourceSpec } from "./spec.ts";
import { isWaitingType } from "./types.ts";
import { type AnswersSeen, checkUnansweredDelete } from "./unanswered-deletes.ts";
import { Violation } from "./violation.ts";

/** An end in a nested stack has other texts. */
const interruptionOf = ({ name, statusReason }: Resource): "overtaken" | "timed out" | null => {
  const why = (["overtaken", "timed out"] as const).find((end) => statusReason.endsWith(end));
  if (why === undefined) return null;
  const before = statusReason.slice(0, -why.length);
  const isOwn =
    before === "DELETE ended without an answer: " ||
    new RegExp(`^\\w+: resources\\.${name}: \\w+ $`).test(before);
  return isOwn ? why : null;
};

/** A row that will be replaced gets its former reason back, which may tell of an earlier end. */
const isPutBack = ({ before: former }: Operation, before: Resource, after: Resource): boolean =>
  after.statusReason === former.statusReason && isDeepStrictEqual(after.failed, before.failed);

export class InterruptionCheck {
  readonly #answers: AnswersSeen;
  readonly #counted = new Set<string>();
  timedOutAt = -1;

  constructor(answers: AnswersSeen) {
    this.#answers = answers;
  }

  /** A restored folder knows no signal of the lost time. */
  forget(): void {
    this.#counted.clear();
  }

  rowWritten(
    before: Resource | null,
    after: Resource,
    isSignal: boolean,
    spec?: ResourceSpec,
  ): void {
    if (before?.operation == null) return;
    checkUnansweredDelete(before, after, this.#answers);
    const key = `${before.id}/${before.operation.generation}`;
    // The end of a group's first traversal is not yet the result (P20).
    if (isSignal && !isGroup(before.operation.type)) this.#counted.add(key);
    const why = interruptionOf(after);
    if (after.operation !== null || why === null) return;
    if (isPutBack(before.operation, before, after)) return;
    if (this.#counted.has(key)) {
      throw new Violation(
        `P12: ${after.name} ends ${after.statusReason} although its result is there`,
      );
    }
    if (why === "overtaken") this.#endsForDelete(before, before.operation, spec);
    if (why !== "timed out") return;
    this.timedOutAt = after.number;
    if (this.#answers.clock.now() < before.operation.deadline) {
      throw new Violation(`P3.4: ${after.name} times out before its deadline`);
    }
  }

  /**
   * P25: only a delete ends an operation that does not wait for a signal, a nested stack or a
   * barrier.
   */
  #endsForDelete(row: Resource, operation: Operation, spec: ResourceSpec | undefined): void {
    const { action, type, handle } = operation;
    if (isWaitingType(type) || isNested(type) || type === BARRIER_TYPE) return;
    const isOfThese = action !== "DELETE" && action !== "SNAPSHOT";
    const isKnown = handle !== null && row.physicalResourceId !== null;
    if (isOfThese && isKnown && spec?.retained !== true) return;
    throw new Violation(`P25: ${action} of ${row.name} was ended although a delete waits for it`);
  }
}
