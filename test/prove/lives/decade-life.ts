/** A decade of one host, from a seed: the life of a stack's deployments on a folder of files. */
import { type BrokenPromise, type DecadeCounts, DecadeWorld } from "./decade-world.ts";
import { DeploymentLife, type LifeResult } from "./deployment-life.ts";

/** One decade in this many begins in the folder of a released version. */
const UPGRADED_EVERY = 2;

export interface DecadeResult extends LifeResult {
  readonly counts: DecadeCounts;
}

export const liveDecade = async (
  seed: number,
  broken: BrokenPromise | null = null,
): Promise<DecadeResult> => {
  const worlds: DecadeWorld[] = [];
  const life = new DeploymentLife(seed, (random) => {
    const world = new DecadeWorld(random, broken, seed % UPGRADED_EVERY === 0);
    worlds.push(world);
    return world;
  });
  try {
    const result = await life.run();
    const [world] = worlds;
    return { ...result, counts: { ...world?.counts } };
  } finally {
    for (const world of worlds) world.close();
  }
};
