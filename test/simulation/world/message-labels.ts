/**
 * The short names of messages in a run's story. `2a'U` is for the update node of `a` in traversal
 * 2, whose row is a replacement. `C` stands for a cleanup node. A message of a nested stack begins
 * with the name of the resource that owns the stack.
 */
import type { DumpedGraph } from "#lib/adapters/memory/stacks.ts";
import type { MemoryStore } from "#lib/adapters/memory/store.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Message } from "#lib/ports/queue.ts";

export class MessageLabels {
  readonly #store: MemoryStore;
  readonly #stacks: ReadonlyMap<string, Stack>;
  /** By row id, because the first message of a node may come before its row exists. */
  readonly #names = new Map<string, string>();
  readonly #numbers = new Map<string, number>();

  constructor(store: MemoryStore, stacks: ReadonlyMap<string, Stack>) {
    this.#store = store;
    this.#stacks = stacks;
  }

  graphStored({ nodes, traversalId, traversalNumber }: DumpedGraph): void {
    for (const { resourceId, name } of nodes) this.#names.set(resourceId, name);
    this.#numbers.set(traversalId, traversalNumber);
  }

  of(message: Message): string {
    const stack = this.#stacks.get(message.stackId);
    const isCurrent = stack?.traversalId === message.traversalId;
    const number =
      this.#numbers.get(message.traversalId) ?? (isCurrent ? stack?.traversalNumber : "?");
    const owner = stack?.owner == null ? "" : `${stack.owner.resourceName}/`;
    if (message.type === "prepare_traversal") return `prepare ${owner}${number}`;
    const { resourceId, isUpdate } = message;
    const row = this.#store.row(message.stackId, resourceId);
    const name = row?.name ?? this.#names.get(resourceId) ?? resourceId;
    return `${owner}${number}${name}${row?.replaces == null ? "" : "'"}${isUpdate ? "U" : "C"}`;
  }
}
