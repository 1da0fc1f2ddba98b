/**
 * The checkers of the random runs, on the states of a search. What the checkers of nested stacks
 * know of the past is a part of each state, so that another path to the state does not disturb
 * them.
 */
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import { Checkers } from "../simulation/world/checkers.ts";
import { checkQuiet, NestedCheckers } from "../simulation/world/nested-checkers.ts";
import { checkUnansweredDelete } from "../simulation/world/unanswered-deletes.ts";
import { Violation } from "../simulation/world/violation.ts";
import { left } from "./injected-faults.ts";
import type { ShownState } from "./reality.ts";
import { notePublished } from "./restores.ts";
import type { State, Values } from "./state.ts";

export class Watch {
  readonly checkers: Checkers;
  readonly #nested: NestedCheckers;
  readonly #shown: ShownState;
  readonly #values: Values;
  #recalled = -1;

  constructor(values: Values, shown: ShownState) {
    this.#values = values;
    this.#shown = shown;
    this.checkers = new Checkers(shown);
    this.#nested = new NestedCheckers(shown);
  }

  get blank(): number {
    return this.#values.memories.idOf(new NestedCheckers(this.#shown).memory);
  }

  rowWritten(state: State, before: Resource | null, after: Resource, stack: Stack): void {
    this.checkers.rowWritten(before, after, stack);
    checkUnansweredDelete(before, after, {
      blobs: { has: (key) => this.#values.blobs.valueOf(state.blobs)[key] !== undefined },
      clock: { now: () => state.now },
    });
    if (left(state, "restore") > 0) notePublished(state, after, this.#values);
    this.#withMemory(state, () => this.#nested.rowWritten(before, after));
  }

  /** `before` is null for a new stack. `updatedAt` is the time that the writer gave. */
  stackWritten(state: State, before: Stack | null, after: Stack, updatedAt: number | null): void {
    const dated = { ...after, updatedAt };
    const root = this.#values.stacks.valueOf(state.stack);
    if (before !== null) {
      this.#withMemory(state, () => this.#nested.stackWritten(before, dated, root));
      this.checkers.stackWritten(before, after);
      return;
    }
    this.#withMemory(state, () => this.#nested.stackCreated(dated));
  }

  quiet(state: State, root: Stack, isGood: boolean): void {
    this.#recall(state);
    this.checkers.quiet(root, isGood);
    if (state.nested.length === 0) return;
    const tree = { checkers: this.checkers, nestedCheckers: this.#nested };
    // After a signal the operation of the group's row is not the last one of the nested stack.
    checkQuiet(tree, root, isGood && this.#nested.meddledAt < root.traversalNumber);
    for (const { status, name, statusReason } of isGood ? this.#nested.nested : []) {
      if (status !== "COMPLETE") throw new Violation(`L2: ${name} is FAILED: ${statusReason}`);
    }
  }

  #recall({ memory }: State): void {
    if (memory === this.#recalled) return;
    this.#nested.recall(this.#values.memories.valueOf(memory));
    this.#recalled = memory;
  }

  /** A search without a group has nothing to remember. */
  #withMemory(state: State, check: () => void): void {
    if (state.nested.length === 0) return;
    this.#recall(state);
    this.#recalled = -1;
    check();
    state.memory = this.#values.memories.idOf(this.#nested.memory);
    this.#recalled = state.memory;
  }
}
