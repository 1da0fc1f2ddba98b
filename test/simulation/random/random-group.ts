/** A random group beside the other resources of a template. */
import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import type { Random } from "#lib/ports/random.ts";
import type { GroupSpec, Spec } from "../world/spec.ts";
import { chance, pick } from "./random-spec.ts";

/** One seed of nested stacks in this many has a group. */
const GROUPS_EVERY = 3;
const MEMBERS_MAX = 4;
const BATCH_MAX = 2;
/** Among them are names that no member has yet. */
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

/** The groups of a seed. A separate generator keeps the other choices of the seed unchanged. */
export const groupsOf = (seed: number, types: readonly string[]): ((spec: Spec) => Spec) => {
  const choices = memoryRandom(seed * 48_271 + 11);
  return seed % GROUPS_EVERY === 0 ? (spec) => withGroup(choices, spec, types) : (spec) => spec;
};

/** Nearly every template has the group, and sometimes all others come after it. */
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
