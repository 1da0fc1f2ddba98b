/**
 * A stack whose updates change nearly everything. Create, update with kills until all planned ones
 * are done, check, delete, check.
 */
import { type Check, checkEvents, checkVersion } from "./checks.ts";
import type { ProviderObject } from "./looks.ts";
import {
  clientOf,
  createStack,
  deleteStack,
  killDuring,
  quietWorld,
  type Scene,
  type StackName,
  updateStack,
  waitForEnd,
} from "./scene.ts";
import { makeTarget, RESOURCES, type Target } from "./whole-target.ts";

/** The waits grow with the number of kills, so that one update lasts for almost all of them. */
const WAIT_MS_PER_KILL = 70;

export const playWholeUpdates = async (scene: Scene, kills: number): Promise<void> => {
  const target = makeTarget(scene.random, kills * WAIT_MS_PER_KILL);
  const stack = await createStack(scene, target.template(0));
  let objects = await look(scene, target, 0, null);
  let version = 0;
  for (let used = 0; used < kills; ) {
    version += 1;
    await updateStack(scene, stack, target.template(version));
    const hits = await killDuring(scene, stack, "UPDATE_IN_PROGRESS", kills - used);
    used += hits;
    const seconds = await waitForEnd(scene, stack, "UPDATE_COMPLETE");
    console.log(`update ${version}: complete ${seconds} s after the last of ${hits} kills`);
    objects = await look(scene, target, version, objects);
  }
  scene.tally.report([await checkEventsOf(scene, stack, version)]);
  await deleteStack(scene, stack);
};

const look = async (
  scene: Scene,
  target: Target,
  version: number,
  before: readonly ProviderObject[] | null,
): Promise<readonly ProviderObject[]> => {
  const world = await quietWorld(scene);
  const creations = RESOURCES + version * target.createdByUpdate;
  scene.tally.report(checkVersion(target.resources(version), creations, before, world));
  return world.objects;
};

const checkEventsOf = async (scene: Scene, stack: StackName, updates: number): Promise<Check> => {
  const client = await clientOf(scene);
  return checkEvents(await client.events(stack, {}), updates);
};
