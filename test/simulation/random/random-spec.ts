import type { SweepOptions } from "#lib/convergence/sweep/sweep.ts";
import { HOOKS } from "#lib/model/resource.ts";
import type { Random } from "#lib/ports/ports.ts";
import type { ResourceSpec, Spec } from "../world/spec.ts";

export const TYPES = [
  "Hearth::Test::Scenario",
  "Sim::Waiting",
  "Sim::Slow",
  "Sim::Refusing",
  "Sim::Searchable",
  "Sim::Forgetful",
  "Sim::Impatient",
] as const;
/** Its creation asks once for a replacement. */
const RARE = "Sim::Picky";
/**
 * Nested runs use these types too, because their checkers know no deadlines of nested stacks.
 * Failures need the sweeper: a worker may die between accepting a rollback and sending its message.
 */
export const TYPES_WITHOUT_SWEEPER = TYPES.filter((type) => type !== "Sim::Impatient");
export const pick = <T>(random: Random, list: readonly T[]): T | undefined =>
  list[random.below(list.length)];
export const chance = (random: Random, percent: number): boolean => random.below(100) < percent;

/** The second value is long enough to be sealed against its template record (AGAINST_CHARS_MIN). */
const VALUES = ["0", `1 ${"long ".repeat(32)}`];

export const randomSpec = (random: Random, size: number, types: readonly string[]): Spec => {
  const names = ["a", "b", "c", "d", "e", "f"].slice(0, size);
  const order = chance(random, 30) ? [...names].reverse() : names;
  const spec: Record<string, ResourceSpec> = {};
  const used: string[] = [];
  for (const name of order) {
    if (chance(random, 15)) continue;
    const refers: Record<string, string> = {};
    const after: string[] = [];
    for (const other of used) {
      if (chance(random, 25)) refers[chance(random, 20) ? `to_${other}!` : `to_${other}`] = other;
      else if (chance(random, 15)) after.push(other);
    }
    const at = name.charCodeAt(0) % types.length;
    spec[name] = {
      type: chance(random, 5)
        ? (pick(random, [...types, RARE]) ?? TYPES[0])
        : (types[at] ?? TYPES[0]),
      properties: { v: VALUES[random.below(2)] ?? "", "r!": String(random.below(3) === 0 ? 1 : 0) },
      refers,
      after,
    };
    used.push(name);
  }
  return spec;
};

const NAMED = new Set([1, 5]);
const TOKENLESS = new Set([7, 11]);
const MENDED = 6;
const DRAINING = 0;

/** A lost creation is a failure, and failures need the sweeper. */
export const losesCreations = (seed: number, sweeps: boolean): boolean =>
  sweeps && TOKENLESS.has(seed % 12);

const SLOW = new Set([2, 10]);
const KEPT = new Set([4, 8]);

/**
 * For one seed in three, a third of the requests are deletes and rollbacks, which come while slow
 * creations run (P25, P26).
 * @returns null when the request stays as in other seeds.
 */
export const earlyDelete = (seed: number, random: Random): "DELETE" | "ROLLBACK" | null => {
  if (firstWait(seed) === null || !chance(random, 35)) return null;
  return chance(random, 60) ? "DELETE" : "ROLLBACK";
};

/**
 * Half of the plain resources get another type, always the same ones of a seed. For one seed in six
 * the provider knows them by their names (P17). For another one in six it ignores tokens, so that
 * creations are lost (P18). For a third one it is slow, or returns its ids late (P25). For a fourth
 * one it is slow and polled so soon that leases are kept (P26). None of these seeds has retained
 * objects. For one seed in twelve the objects stay after a failed change (D9), and for another one
 * a DELETE waits for a signal (L11).
 */
export const specsOf = (seed: number, loses = false): typeof randomSpec => {
  const type = specialType(seed, loses);
  return type === null
    ? randomSpec
    : (random, size, types) => withSpecialType(seed, type, randomSpec(random, size, types));
};

const specialType = (seed: number, loses: boolean): string | null => {
  if (loses) return "Sim::Tokenless";
  if (KEPT.has(seed % 12)) return "Sim::Slow";
  if (SLOW.has(seed % 12)) return seed % 24 < 12 ? "Sim::Slow" : "Sim::Late";
  if (seed % 12 === MENDED) return "Sim::Mended";
  if (seed % 12 === DRAINING) return "Sim::Draining";
  return NAMED.has(seed % 12) ? "Sim::Named" : null;
};

const EXTERNAL = new Set([3, 9]);

/**
 * For one seed in six, some resources are objects of the user in half of the templates (P19). They
 * have a type of their own then, because a resource cannot become external in place.
 */
export const withExternalObjects = (seed: number, spec: Spec): Spec =>
  EXTERNAL.has(seed % 12)
    ? Object.fromEntries(
        Object.entries(spec).map(([name, one]) => {
          const isExternal = (name.charCodeAt(0) + seed) % 3 === 0 && one.properties?.["v"] === "1";
          if (!isExternal || one.child !== undefined) return [name, one];
          return [name, { ...one, type: "Sim::Seeing", external: `the user's ${name}` }];
        }),
      )
    : spec;

const firstWait = (seed: number): ResourceSpec["properties"] | null => {
  if (SLOW.has(seed % 12)) return { seconds: "40" };
  if (!KEPT.has(seed % 12)) return null;
  return { poll: "3", seconds: seed % 5 < 2 ? "40" : "3" };
};

const withSpecialType = (seed: number, type: string, spec: Spec): Spec =>
  Object.fromEntries(
    Object.entries(spec).map(([name, one]) => {
      const isSpecial = one.type === TYPES[0] && (name.charCodeAt(0) + seed) % 8 < 4;
      if (!isSpecial) return [name, one];
      return [name, { ...one, type, properties: { ...one.properties, ...firstWait(seed) } }];
    }),
  );

export const nestedSpec = (
  random: Random,
  size: number,
  types: readonly string[],
  depth = 2,
): Spec => {
  const spec = randomSpec(random, size, types);
  return Object.fromEntries(
    Object.entries(spec).map(([name, one]): [string, ResourceSpec] => {
      if (depth === 0 || !["b", "d"].includes(name)) return [name, one];
      const after = [...new Set([...(one.after ?? []), ...Object.values(one.refers ?? {})])];
      const below = 1 + random.below(depth === 2 ? 3 : 2);
      return [name, { after, child: nestedSpec(random, below, types, depth - 1) }];
    }),
  );
};

export const withHooksAndPolicies = (choices: Random, spec: Spec): Spec =>
  Object.fromEntries(
    Object.entries(spec).map(([name, one]) => [
      name,
      {
        ...one,
        ...(chance(choices, 30) ? { hooks: HOOKS.filter(() => chance(choices, 40)) } : {}),
        ...(chance(choices, 10) ? { retained: true } : {}),
      },
    ]),
  );

/** Without a margin a sweep sends duplicates. With time for one stack only, it leaves a cursor. */
export const sweepOptions = (step: number): SweepOptions => {
  let stacks = 1;
  const remainingMs = (): number => (stacks-- > 0 ? Number.MAX_SAFE_INTEGER : 0);
  const all: readonly SweepOptions[] = [{}, { overdueMsMin: 0 }, { remainingMs }];
  return all[step % all.length] ?? {};
};

/** Updates of groups are partial only when the stack is at rest. */
export const restsPercent = (isNested: boolean): number => (isNested ? 60 : 20);

const PARTS_EVERY = 5;

export const partNodesOf = (seed: number): number | undefined =>
  seed % PARTS_EVERY === 0 ? 2 : undefined;
