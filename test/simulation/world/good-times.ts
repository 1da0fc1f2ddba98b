/** When the updates of traversals became good: when their (stack, update) points were full. */

import type { SyncPoint } from "#lib/model/graph.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Clock } from "#lib/ports/ports.ts";

export class GoodTimes {
  readonly #clock: Clock;
  readonly #times = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note({ key, arrived, fanIn, stackId }: SyncPoint): void {
    const isStacks = key.resourceId === stackId && key.isUpdate && key.bucket === "";
    if (!isStacks || arrived.length < fanIn || this.#times.has(key.traversalId)) return;
    this.#times.set(key.traversalId, this.#clock.now());
  }

  /** A restored folder begins its traversals again where they were. */
  backUp(): () => void {
    const kept = [...this.#times];
    return () => {
      this.#times.clear();
      for (const [traversalId, time] of kept) this.#times.set(traversalId, time);
    };
  }

  wasInTime({ traversalId, deadline }: Stack): boolean {
    return (this.#times.get(traversalId) ?? Infinity) < deadline;
  }
}
