/**
 * The folder of the simulated host (P14). It is backed up at any moment, and restored as another
 * life. The provider, the agents and the clock keep what they know.
 */
import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import type { Resource } from "#lib/model/resource.ts";
import { beginningLife } from "#lib/ports/life.ts";
import type { NestedMemory } from "./nested-checkers.ts";
import { isWaitingType } from "./types.ts";
import type { World } from "./world.ts";

const REDELIVERED_MS = 360_000;

export interface FolderBackup {
  readonly life: number;
  readonly restore: () => void;
  readonly nested: NestedMemory;
}

/** A signal of an agent for an operation that the folder may have forgotten. */
export interface LateSignal {
  readonly row: Resource;
  readonly generation: number;
}

export class Folder {
  readonly #world: World;
  readonly #random = memoryRandom(1);
  readonly #published = new Map<string, LateSignal>();
  life = 0;
  missesObjects = false;

  constructor(world: World) {
    this.#world = world;
  }

  backUp(): FolderBackup {
    const { store, blobs, good, queue, stacks, inHand, clock, nestedCheckers } = this.#world;
    const restores = [store.backUp(), blobs.backUp(), good.backUp()];
    const deliverAt = clock.now() + REDELIVERED_MS;
    const pending = [...queue.pending, ...inHand.map((one) => ({ ...one, deliverAt }))];
    const stacksThen = [...stacks];
    this.#world.tell("the folder is backed up");
    return {
      life: this.life,
      nested: nestedCheckers.memory,
      restore: () => {
        for (const restore of restores) restore();
        queue.pending.splice(0, queue.pending.length, ...pending);
        stacks.clear();
        for (const [id, stack] of stacksThen) stacks.set(id, stack);
      },
    };
  }

  /** With `keepsMessages` false only the tables come back, and the sweeper sends what is needed. */
  restore({ restore, nested, life }: FolderBackup, keepsMessages = true): void {
    const world = this.#world;
    world.tell("the folder is restored");
    world.killAll();
    restore();
    if (!keepsMessages) world.queue.pending.length = 0;
    this.life = beginningLife(world.clock.now(), (below) => this.#random.below(below), life);
    world.interruptions.forget();
    world.nestedCheckers.recall(nested);
    const rows = world.allRows;
    world.watchedProvider.lose((id, token) => rows.some((row) => accountsFor(row, id, token)));
    const there = new Set(world.provider.objects().map(({ physicalId }) => physicalId));
    // A create that was under way is repeated, and its token may be that of a deleted object.
    const objectOf = ({ id, generation, physicalResourceId, operation }: Resource) =>
      physicalResourceId ??
      (operation === null ? null : world.watchedProvider.madeBy(`${id}/CREATE/${generation}`)) ??
      null;
    this.missesObjects ||= rows.some((row) => {
      const id = objectOf(row);
      return row.action !== "DELETE" && id !== null && !there.has(id);
    });
  }

  rowWritten(row: Resource): void {
    const { operation, id } = row;
    if (operation?.handle == null || !isWaitingType(operation.type)) return;
    const { generation } = operation;
    this.#published.set(`${id}/${generation}`, { row, generation });
  }

  wasUsed({ id, generation, operation }: Resource): boolean {
    const isPublished = this.#published.has(`${id}/${generation}`);
    return (
      isPublished || this.#world.watchedProvider.knows(`${id}/${operation?.action}/${generation}`)
    );
  }

  /** Where a provider finds an object by its name, a row may have it again. */
  isLost(physicalId: string): boolean {
    const isOf = (row: Resource): boolean => row.physicalResourceId === physicalId;
    return this.#world.watchedProvider.isLost(physicalId) && !this.#world.allRows.some(isOf);
  }

  lateSignals(): readonly LateSignal[] {
    return [...this.#published.values()].filter(({ row, generation }) => {
      const now = this.#world.store.row(row.stackId, row.id);
      return now !== null && now.operation?.generation !== generation;
    });
  }
}

const accountsFor = (row: Resource, physicalId: string, madeBy: string): boolean => {
  const { operation } = row;
  if (row.physicalResourceId === physicalId) return true;
  if (operation === null) return false;
  return `${madeBy}/`.startsWith(`${row.id}/${operation.action}/${operation.generation}/`);
};
