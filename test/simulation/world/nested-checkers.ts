/** S22 and the fence of P13: the invariants between a row and its nested stack. */
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Checkers } from "./checkers.ts";
import { GroupCheckers, type GroupsMemory, type GroupsReality } from "./group-checkers.ts";
import { MemberCheckers } from "./member-checkers.ts";
import { ScalingCheckers, type ScalingMemory } from "./scaling-checkers.ts";
import { isNested } from "./spec.ts";
import { Violation } from "./violation.ts";

const isGone = (one: Pick<Stack | Resource, "action" | "status">): boolean =>
  one.action === "DELETE" && one.status === "COMPLETE";

const isMeddling = (before: Stack, { owner, traversalId, statusReason }: Stack): boolean => {
  if (owner === null || traversalId === before.traversalId) return false;
  return traversalId !== owner.childTraversalId && !statusReason.endsWith("cancelled");
};

interface Tree {
  readonly checkers: Checkers;
  readonly nestedCheckers: NestedCheckers;
}

/** At rest. `isGood`: no fault failed anything in the root's last traversal. */
export const checkQuiet = (tree: Tree, root: Stack, isGood: boolean): void => {
  for (const stack of tree.nestedCheckers.nested) {
    tree.checkers.quiet(stack, false);
    tree.nestedCheckers.groups.quiet(stack);
  }
  tree.checkers.quiet(root, isGood);
  tree.nestedCheckers.quiet();
  if (isGood && ["CREATE", "UPDATE", "ROLLBACK"].includes(root.action)) checkGood(tree, root);
};

const checkGood = (tree: Tree, stack: Stack): void => {
  for (const below of tree.nestedCheckers.good(stack)) {
    tree.checkers.realityIsTarget(below);
    tree.nestedCheckers.groups.good(below);
    tree.nestedCheckers.members.good(below);
    checkGood(tree, below);
  }
};

export interface NestedMemory {
  readonly meddledAt: number;
  readonly complete: readonly string[];
  readonly groups: GroupsMemory;
  readonly scaling: ScalingMemory;
}

export class NestedCheckers {
  readonly #reality: GroupsReality;
  meddledAt = -1;
  readonly #complete = new Set<string>();

  readonly groups: GroupCheckers;
  readonly members: MemberCheckers;
  readonly #scaling: ScalingCheckers;

  constructor(reality: GroupsReality) {
    this.#reality = reality;
    this.groups = new GroupCheckers(reality);
    this.members = new MemberCheckers(reality, this.groups);
    this.#scaling = new ScalingCheckers(reality);
  }

  get memory(): NestedMemory {
    const { nested } = this;
    const begun = nested.map(({ owner }) => owner?.childTraversalId ?? "");
    return {
      meddledAt: this.meddledAt,
      complete: begun.filter((traversalId) => this.#complete.has(traversalId)).toSorted(),
      groups: this.groups.memoryOf(nested),
      scaling: this.#scaling.memoryOf(nested),
    };
  }

  recall({ meddledAt, complete, groups, scaling }: NestedMemory): void {
    this.meddledAt = meddledAt;
    this.#complete.clear();
    for (const traversalId of complete) this.#complete.add(traversalId);
    this.groups.recall(groups);
    this.#scaling.recall(scaling);
  }

  get nested(): readonly Stack[] {
    return this.#reality.stacks().filter(({ owner }) => owner !== null);
  }

  stackCreated(stack: Stack, before: Stack | null = null): void {
    if (stack.owner === null) return;
    this.groups.stackWritten(before, stack);
    this.#scaling.stackWritten(before, stack);
  }

  stackWritten(before: Stack, after: Stack, root: Stack | null): void {
    if (before.owner === null || after.owner === null) return;
    if (isMeddling(before, after)) this.meddledAt = root?.traversalNumber ?? 0;
    if (after.owner.generation < before.owner.generation) {
      throw new Violation(`S22: an older operation of ${after.owner.resourceName} was accepted`);
    }
    const isSame = after.owner.generation === before.owner.generation;
    // P20: the second traversal of an operation follows the first one. Nothing else may begin
    // another traversal in the same operation.
    const isSecond = before.owner.step === undefined && after.owner.step === "second";
    if (isSame && !isSecond && after.owner.childTraversalId !== before.owner.childTraversalId) {
      throw new Violation(`S22: an operation of ${after.owner.resourceName} began twice`);
    }
    this.stackCreated(after, before);
    if (after.status === "COMPLETE" && before.status === "IN_PROGRESS") {
      this.#complete.add(after.traversalId);
    }
  }

  rowWritten(before: Resource | null, after: Resource): void {
    const stack = this.#reality.stacks().find(({ id }) => id === after.stackId);
    this.groups.rowWritten(before, after, stack);
    this.members.rowWritten(before, after, stack);
    this.#scaling.rowWritten(before, after, this.#below(after));
    const operation = before?.operation ?? null;
    if (operation === null || !isNested(operation.type) || after.operation !== null) return;
    if (after.status !== "COMPLETE") return;
    const below = this.#below(after);
    if (operation.action === "DELETE") {
      if (below !== undefined && !isGone(below)) {
        throw new Violation(`S22: ${after.name} is deleted and its stack is not`);
      }
      return;
    }
    // Without its mark, the row went back to its former state in order to be replaced.
    const mark = operation.isUpdate ? after.updateDone : after.cleanupDone;
    if (mark !== operation.traversalId) return;
    const owner = below?.owner ?? null;
    const isBegun = owner?.generation === operation.generation;
    const traversalId = isBegun ? owner.childTraversalId : "";
    // As in Heat, a snapshot of the outer stack begins nothing in the nested stack.
    const begins = operation.action !== "RESUME" && operation.action !== "SNAPSHOT";
    if (begins && !this.#complete.has(traversalId)) {
      throw new Violation(`S22: ${after.name} is complete by an operation that is not its own`);
    }
  }

  #below(row: Resource): Stack | undefined {
    return this.#reality.stacks().find(({ owner }) => owner?.resourceId === row.id);
  }

  quiet(): void {
    for (const { owner, id, action, status } of this.nested) {
      if (owner === null || isGone({ action, status })) continue;
      const row = this.#reality.row(owner.stackId, owner.resourceId);
      if (row === null || isGone(row)) {
        throw new Violation(`S22: stack ${id} of ${owner.resourceName} was left behind`);
      }
      if (status === "IN_PROGRESS") throw new Violation(`L1: ${owner.resourceName} goes on below`);
    }
  }

  good(stack: Stack): readonly Stack[] {
    const rows = this.#reality.rowsOf(stack.id).filter((row) => isNested(row.type));
    return rows
      .filter((row) => !isGone(row) && row.action !== "INIT")
      .map((row) => {
        const below = this.#below(row);
        if (below === undefined || isGone(below) || below.status !== "COMPLETE") {
          throw new Violation(`S22: ${row.name} is good, and the stack that it is is not`);
        }
        if (below.traversalId !== below.owner?.childTraversalId) {
          throw new Violation(`S22: ${row.name} is good by a traversal that is not its own`);
        }
        return below;
      });
  }
}
