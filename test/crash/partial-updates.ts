/**
 * Partial updates (P24) of a stack at rest, with kills. Each changes one or two of many resources,
 * and the rows of the others must stay as they were.
 */
import { checkVersion, type World } from "./checks.ts";
import { expectedOf } from "./expected-visits.ts";
import { checkRows } from "./partial-checks.ts";
import { type Change, firstVersion, nextVersion, templateOf, wantedOf } from "./partial-target.ts";
import {
  createStack,
  deleteStack,
  killDuring,
  quietWorld,
  type Scene,
  updateStack,
  waitForEnd,
} from "./scene.ts";

/** Only the first round has an addition, and a replacement under a row that is left out. */
const ROUNDS: readonly (readonly Change[])[] = [
  ["replaced", "added"],
  ["changed", "removed"],
  ["both ends"],
  ["leaf", "replaced"],
];

export const playPartialUpdates = async (scene: Scene, kills: number): Promise<void> => {
  if (kills === 0) return;
  const { random, tally } = scene;
  let target = firstVersion(random);
  let creations = (await quietWorld(scene)).creations + target.definitions.length;
  const stack = await createStack(scene, templateOf(target));
  let world: World = await quietWorld(scene);
  let version = 0;
  for (let used = 0; used < kills; ) {
    const changes = ROUNDS[version % ROUNDS.length] ?? [];
    version += 1;
    const next = nextVersion(random, target, version, changes);
    const expected = expectedOf(target, next);
    await updateStack(scene, stack, templateOf(next));
    const hits = await killDuring(scene, stack, "UPDATE_IN_PROGRESS", kills - used);
    used += hits;
    const seconds = await waitForEnd(scene, stack, "UPDATE_COMPLETE");
    const visits = `${expected.visited.size} of ${next.definitions.length} visited`;
    console.log(
      `partial update ${version} (${changes.join(", ")}; ${visits}): complete ${seconds} s after the last of ${hits} kills`,
    );
    creations += expected.replaced.size + expected.added.size;
    const now = await quietWorld(scene);
    tally.report([
      ...checkVersion(wantedOf(next, expected), creations, world.objects, now),
      ...checkRows(expected, next, world.rows.rows, now.rows.rows),
    ]);
    [target, world] = [next, now];
  }
  await deleteStack(scene, stack);
};
