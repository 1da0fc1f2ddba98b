/**
 * The batches of a scaling group. The oldest members change first and go first. A surplus member
 * stays, and an older one goes for it.
 */
import { batchSizes, type RollPolicy } from "./batch-sizes.ts";
import type { DrawNames } from "./random-names.ts";
import type { Existing, RollStep } from "./roll-step.ts";

/**
 * Members that do not serve keep their names, but count as new ones. `existing` has the oldest
 * first.
 */
export const scalingSteps = (
  existing: readonly Existing[],
  target: number,
  policy: RollPolicy,
  draw: DrawNames,
): readonly RollStep[] => {
  const members = existing.filter(({ isServing }) => isServing);
  const failed = existing.filter(({ isServing }) => !isServing).map(({ name }) => name);
  /** The members before this one are gone. */
  let oldest = 0;
  let next = 0;
  const nextOld = (): string | null => {
    for (next = Math.max(next, oldest); next < members.length; ) {
      const member = members[next];
      next += 1;
      if (member?.isUpToDate === false) return member.name;
    }
    return null;
  };
  return batchSizes("scaling", policy, target, members.length).map(({ size, changes }) => {
    const surplus = Math.max(members.length - oldest - size, 0);
    const removed = members.slice(oldest, oldest + surplus).map(({ name }) => name);
    oldest += surplus;
    const count = size - (members.length - oldest);
    const again = failed.splice(0, count);
    const changed = [...again, ...draw(count - again.length)];
    members.push(...changed.map((name) => ({ name, isServing: true, isUpToDate: true })));
    while (changed.length < changes) {
      const name = nextOld();
      if (name === null) break;
      changed.push(name);
    }
    return { size, changes, changed, removed };
  });
};
