import type { Random } from "#lib/ports/ports.ts";
import { type BrokenPromise, type DecadeCounts, DecadeWorld } from "./decade-world.ts";
import { DeploymentLife, type LifeResult, SERVERS } from "./deployment-life.ts";

const UPGRADED_EVERY = 2;

export interface DecadeResult extends LifeResult {
  readonly counts: DecadeCounts;
}

export const liveDecade = async (
  seed: number,
  broken: BrokenPromise | null = null,
  servers = SERVERS,
): Promise<DecadeResult> => {
  const worlds: DecadeWorld[] = [];
  const worldOf = (random: Random): DecadeWorld => {
    const world = new DecadeWorld(random, broken, seed % UPGRADED_EVERY === 0);
    worlds.push(world);
    return world;
  };
  const life = new DeploymentLife(seed, worldOf, servers);
  try {
    const result = await life.run();
    const [world] = worlds;
    return { ...result, counts: { ...world?.counts } };
  } finally {
    for (const world of worlds) world.close();
  }
};
