/** S22 and the fence of P13: the invariants between a row and its nested stack. */
import type { MemoryStore } from "#lib/adapters/memory/store.ts";
import type { GroupSource } from "#lib/model/group-record.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import { EMPTY_TEMPLATE_ID } from "#lib/stack/template-record.ts";
import type { Checkers } from "./checkers.ts";
import { GroupCheckers, type GroupsReality } from "./group-checkers.ts";
import { ScalingCheckers } from "./scaling-checkers.ts";
import { isNested, type Spec } from "./spec.ts";
import { Violation } from "./violation.ts";

const isGone = (one: Pick<Stack | Resource, "action" | "status">): boolean =>
  one.action === "DELETE" && one.status === "COMPLETE";

/** The operation of the owner's row names the template that holds the nested stack's target. */
const learnSpec = (store: MemoryStore, specs: Map<string, Spec>, stack: Stack): void => {
  const { owner, templateId } = stack;
  if (owner === null || templateId === EMPTY_TEMPLATE_ID || specs.has(templateId)) return;
  const above = store.row(owner.stackId, owner.resourceId)?.operation?.templateId ?? "";
  const spec = specs.get(above)?.[owner.resourceName]?.child;
  if (spec !== undefined) specs.set(templateId, spec);
};

/** A request on a nested stack that does not come from its owner. */
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
    checkGood(tree, below);
  }
};

export class NestedCheckers {
  readonly #store: MemoryStore;
  readonly #stacks: ReadonlyMap<string, Stack>;
  readonly #specs: Map<string, Spec>;
  /** The number of the root's traversal when a user last acted on a nested stack directly. */
  meddledAt = -1;
  /** Row and generation → the traversal of the nested stack that this operation began. */
  readonly #begun = new Map<string, string>();
  /** Traversals that ended COMPLETE. */
  readonly #complete = new Set<string>();

  readonly groups: GroupCheckers;
  readonly #scaling: ScalingCheckers;

  constructor(stacks: ReadonlyMap<string, Stack>, reality: GroupsReality) {
    this.#store = reality.store;
    this.#stacks = stacks;
    this.#specs = reality.specs;
    this.groups = new GroupCheckers(reality);
    this.#scaling = new ScalingCheckers(reality);
  }

  groupStored(templateId: string, group: GroupSource): void {
    this.groups.groupStored(templateId, group);
    this.#scaling.groupStored(templateId, group);
  }

  get nested(): readonly Stack[] {
    return [...this.#stacks.values()].filter(({ owner }) => owner !== null);
  }

  stackCreated(stack: Stack, before: Stack | null = null): void {
    const { owner } = stack;
    if (owner === null) return;
    learnSpec(this.#store, this.#specs, stack);
    this.#begun.set(`${owner.resourceId}/${owner.generation}`, owner.childTraversalId);
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
    // P20: the second one of an operation follows the first one, and nothing else does.
    const isSecond = before.owner.step === undefined && after.owner.step === "second";
    if (isSame && !isSecond && after.owner.childTraversalId !== before.owner.childTraversalId) {
      throw new Violation(`S22: an operation of ${after.owner.resourceName} began twice`);
    }
    this.stackCreated(after, before);
    if (after.status === "COMPLETE" && before.status === "IN_PROGRESS") {
      this.#complete.add(after.traversalId);
    }
  }

  /** A row is COMPLETE only through the traversal that its own operation began. */
  rowWritten(before: Resource | null, after: Resource): void {
    this.groups.rowWritten(before, after, this.#stacks.get(after.stackId));
    this.#scaling.rowWritten(before, after, this.#below(after));
    const operation = before?.operation ?? null;
    if (operation === null || !isNested(operation.type) || after.operation !== null) return;
    if (after.status !== "COMPLETE") return;
    if (operation.action === "DELETE") {
      const below = this.#below(after);
      if (below !== undefined && !isGone(below)) {
        throw new Violation(`S22: ${after.name} is deleted and its stack is not`);
      }
      return;
    }
    // Without its mark, the row went back to its former state in order to be replaced.
    const mark = operation.isUpdate ? after.updateDone : after.cleanupDone;
    if (mark !== operation.traversalId) return;
    const traversalId = this.#begun.get(`${after.id}/${operation.generation}`) ?? "";
    // As in Heat, a snapshot of the outer stack begins nothing in the nested stack.
    const begins = operation.action !== "RESUME" && operation.action !== "SNAPSHOT";
    if (begins && !this.#complete.has(traversalId)) {
      throw new Violation(`S22: ${after.name} is complete by an operation that is not its own`);
    }
  }

  #below(row: Resource): Stack | undefined {
    return [...this.#stacks.values()].find(({ owner }) => owner?.resourceId === row.id);
  }

  /** At rest, every nested stack has a living row. */
  quiet(): void {
    for (const { owner, id, action, status } of this.#stacks.values()) {
      if (owner === null || isGone({ action, status })) continue;
      const row = this.#store.row(owner.stackId, owner.resourceId);
      if (row === null || isGone(row)) {
        throw new Violation(`S22: stack ${id} of ${owner.resourceName} was left behind`);
      }
      if (status === "IN_PROGRESS") throw new Violation(`L1: ${owner.resourceName} goes on below`);
    }
  }

  /**
   * For a good stack: its nested stacks are as its operations left them. Returns the nested stacks.
   */
  good(stack: Stack): readonly Stack[] {
    const rows = this.#store.rowsOf(stack.id).filter((row) => isNested(row.type));
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
