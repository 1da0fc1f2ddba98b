import { playDeletes } from "./deletes.ts";
import { playPartialUpdates } from "./partial-updates.ts";
import type { Scene } from "./scene.ts";
import { playWholeUpdates } from "./whole-updates.ts";

/**
 * Of five kills, so many come in partial updates and deletes, the others in updates of the whole
 * stack.
 */
const FIVE = 5;
const PARTIAL_IN_FIVE = 2;
const DELETES_IN_FIVE = 1;

export const playStory = async (scene: Scene, kills: number): Promise<void> => {
  const deletes = Math.ceil((kills * DELETES_IN_FIVE) / FIVE);
  const partial = Math.floor((kills * PARTIAL_IN_FIVE) / FIVE);
  await playWholeUpdates(scene, kills - partial - deletes);
  await playPartialUpdates(scene, partial);
  await playDeletes(scene, deletes);
};
