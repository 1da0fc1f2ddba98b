import type { Random } from "#lib/ports/ports.ts";
import type { World } from "../world/world.ts";
import { pick } from "./random-spec.ts";

export const WORKERS_MAX = 4;

export const drain = async (world: World, random: Random, look: () => void): Promise<void> => {
  for (;;) {
    const pending = pick(random, world.deliverable());
    if (pending !== undefined && world.workers.length < WORKERS_MAX) await world.deliver(pending);
    else if (world.workers.length > 0) {
      const worker = pick(random, world.workers);
      if (worker !== undefined) await world.step(worker, random.below(worker.points.length));
    } else if (pending === undefined) return;
    look();
  }
};
