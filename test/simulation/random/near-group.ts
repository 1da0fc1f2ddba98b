import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import type { Random } from "#lib/ports/ports.ts";
import type { GroupSpec, ResourceSpec, ScalingSpec, Spec } from "../world/spec.ts";
import { chance } from "./random-spec.ts";

const NEAR_PERCENT = 60;
const MEMBERS_MAX = 5;
const NAMES = ["0", "1", "2", "3", "5"] as const;

const oneMoreOrLess = (random: Random, size: number): number =>
  Math.min(Math.max(size + (chance(random, 50) ? 1 : -1), 0), MEMBERS_MAX);

const nearGroup = (random: Random, group: GroupSpec): GroupSpec => {
  const die = random.below(100);
  if (die < 50) return { ...group, count: oneMoreOrLess(random, group.count) };
  if (die < 75) {
    const name = NAMES[random.below(NAMES.length)];
    return { ...group, removed: name === undefined ? [] : [name] };
  }
  if (die < 85) return { ...group, rolling: { minimum: random.below(3), batch: 1 } };
  return group;
};

const nearScaling = (random: Random, scaling: ScalingSpec): ScalingSpec => {
  const size = oneMoreOrLess(random, scaling.desired ?? scaling.minimum);
  if (chance(random, 70)) {
    const { minimum, maximum } = scaling;
    return { ...scaling, desired: Math.min(Math.max(size, minimum), maximum) };
  }
  return scaling;
};

export const nearGroups = (seed: number): ((spec: Spec) => Spec) => {
  const random = memoryRandom(seed * 16_807 + 13);
  const last = new Map<string, ResourceSpec>();
  return (spec) => {
    const all = Object.entries(spec).map(([name, one]): [string, ResourceSpec] => {
      const former = last.get(name);
      if (former === undefined || !chance(random, NEAR_PERCENT)) return [name, one];
      const { group, scaling } = former;
      if (group !== undefined) return [name, { ...one, group: nearGroup(random, group) }];
      if (scaling !== undefined) return [name, { ...one, scaling: nearScaling(random, scaling) }];
      return [name, one];
    });
    for (const [name, one] of all) {
      if (one.group !== undefined || one.scaling !== undefined) last.set(name, one);
    }
    return Object.fromEntries(all);
  };
};
