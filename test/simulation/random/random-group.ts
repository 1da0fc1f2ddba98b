import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import type { Random } from "#lib/ports/ports.ts";
import { type GroupSpec, POLICY_TYPE, type ScalingSpec, type Spec } from "../world/spec.ts";
import { signalType } from "../world/users.ts";
import type { World } from "../world/world.ts";
import { nearGroups } from "./near-group.ts";
import { chance, pick } from "./random-spec.ts";

const GROUPS_EVERY = 3;
const MEMBERS_MAX = 4;
const BATCH_MAX = 2;
/** Some of these are names that no member has yet. */
const REMOVED_NAMES = ["0", "1", "2", "3", "5"] as const;

const randomGroup = (choices: Random, types: readonly string[]): GroupSpec => {
  const rolls = chance(choices, 85);
  const type = chance(choices, 10) ? pick(choices, types) : types[0];
  const removed = REMOVED_NAMES.filter(() => chance(choices, 10));
  return {
    count: chance(choices, 5) ? 0 : 1 + choices.below(MEMBERS_MAX),
    member: {
      ...(type === undefined ? {} : { type }),
      properties: {
        v: String(choices.below(3)),
        "r!": chance(choices, 20) ? "1" : "0",
        name: "member-%index%",
      },
    },
    removed,
    mode: chance(choices, 80) ? "append" : "update",
    ...(rolls
      ? {
          rolling: {
            minimum: choices.below(MEMBERS_MAX + 1),
            batch: 1 + choices.below(BATCH_MAX),
            ...(chance(choices, 20) ? { pauseSeconds: 5 } : {}),
          },
        }
      : {}),
    ...(chance(choices, 40) ? { creating: { batch: 1 + choices.below(BATCH_MAX) } } : {}),
  };
};

export const groupsOf = (seed: number, types: readonly string[]): ((spec: Spec) => Spec) => {
  const choices = memoryRandom(seed * 48_271 + 11);
  const near = nearGroups(seed);
  if (seed % GROUPS_EVERY === 0) return (spec) => near(withGroup(choices, spec, types));
  if (seed % GROUPS_EVERY === 1) return (spec) => near(withScaling(choices, spec, types));
  return (spec) => spec;
};

const randomScaling = (choices: Random, types: readonly string[]): ScalingSpec => {
  const type = pick(choices, types);
  const minimum = choices.below(3);
  return {
    minimum,
    maximum: minimum + choices.below(MEMBERS_MAX),
    ...(chance(choices, 30) ? { desired: minimum } : {}),
    member: {
      ...(type === undefined ? {} : { type }),
      properties: { v: String(choices.below(3)), "r!": chance(choices, 20) ? "1" : "0" },
    },
    rolling: { minimum: choices.below(3), batch: 1 + choices.below(BATCH_MAX) },
    ...(chance(choices, 30) ? { cooldownSeconds: 20 } : {}),
  };
};

const withScaling = (choices: Random, spec: Spec, types: readonly string[]): Spec => {
  if (chance(choices, 5)) return spec;
  const refers = { auto_scaling_group_id: "s" };
  const adjustment = 1 + choices.below(2);
  return {
    ...spec,
    s: { scaling: randomScaling(choices, types) },
    p: { policy: { adjustment }, refers },
    q: { policy: { adjustment: -adjustment, cooldownSeconds: 5 }, refers },
  };
};

const withGroup = (choices: Random, spec: Spec, types: readonly string[]): Spec => {
  if (chance(choices, 5)) return spec;
  const kinds = types.length > 1 && chance(choices, 60) ? ["Sim::Waiting", ...types] : types;
  const g = { group: randomGroup(choices, kinds) };
  if (!chance(choices, 30)) return { ...spec, g };
  const others = Object.entries(spec).map(([name, one]) => [
    name,
    { ...one, after: [...(one.after ?? []), "g"] },
  ]);
  return { g, ...Object.fromEntries(others) };
};

/** No choice is made when no group can be scaled, so that such a seed stays unchanged. */
export const signalSomePolicy = async (world: World, choices: Random): Promise<boolean> => {
  const policies = world.rows.filter(
    ({ type, physicalResourceId }) => type === POLICY_TYPE && physicalResourceId !== null,
  );
  const policy = policies.length === 0 ? undefined : pick(choices, policies);
  if (policy === undefined || !chance(choices, 50)) return false;
  await signalType(world, policy);
  return true;
};
