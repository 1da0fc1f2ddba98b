/** One seed in seven backs up its folder at some moments and restores it at others (P14). */
import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import type { Random } from "#lib/ports/ports.ts";
import type { FolderBackup } from "../world/folder.ts";
import type { World } from "../world/world.ts";
import { chance, pick } from "./random-spec.ts";

const RESTORES_EVERY = 7;
const RESTORES_MAX = 3;

export class RandomRestores {
  readonly #random: Random;
  readonly #world: World;
  #backup: FolderBackup | null = null;
  #left: number;
  /** The number of the last traversal that a restore may have kept from its target. */
  failedAt = -1;

  constructor(random: Random, world: World) {
    this.#random = random;
    this.#world = world;
    this.#left = 1 + random.below(RESTORES_MAX);
  }

  async strikes(): Promise<boolean> {
    const die = this.#random.below(1_000);
    if (die < 15 && this.#world.stack !== null) this.#backup = this.#world.folder.backUp();
    else if (die < 25) this.#restore();
    else if (die < 40) return this.#lateSignal();
    else return false;
    return true;
  }

  /**
   * The backup is dropped, because a real host postpones what would expire in an older one
   * (putOffDeadlines).
   */
  weeksPass(): void {
    this.#backup = null;
  }

  #restore(): void {
    if (this.#backup === null || this.#left <= 0) return;
    this.#left--;
    const world = this.#world;
    world.folder.restore(this.#backup, chance(this.#random, 50));
    // Where an object is gone, the updates of its row may fail.
    this.failedAt = world.folder.missesObjects
      ? Number.MAX_SAFE_INTEGER
      : (world.stack?.traversalNumber ?? 0);
  }

  async #lateSignal(): Promise<boolean> {
    const late = pick(this.#random, this.#world.folder.lateSignals());
    if (late === undefined) return false;
    const result = chance(this.#random, 80) ? "COMPLETE" : "FAILED";
    await this.#world.signal(late.row, result, late.generation);
    return true;
  }
}

/** A user's worker dies with its host, and only the sweeper continues its request. */
export const restoresOf = (seed: number, world: World, sweeps: boolean): RandomRestores | null =>
  sweeps && seed % RESTORES_EVERY === 0
    ? new RandomRestores(memoryRandom(seed * 22_695_477 + 9), world)
    : null;
