import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import { HOOKS } from "#lib/model/resource.ts";
import type { Random } from "#lib/ports/ports.ts";
import { dependenciesOf, type ResourceSpec, type Spec } from "../world/spec.ts";
import type { Worker } from "../world/workers.ts";
import { STACK_ID, type World } from "../world/world.ts";
import { chance, pick } from "./random-spec.ts";

type Draft = Record<string, ResourceSpec>;

const NEAR_EVERY = 3;
const NAMES = ["a", "b", "c", "d", "e", "f"];
const VALUES = 9;

const isPlain = ({ child, group, scaling, policy, external }: ResourceSpec): boolean =>
  [child, group, scaling, policy, external].every((special) => special === undefined);

const withProperty = (random: Random, one: ResourceSpec, key: string): ResourceSpec =>
  isPlain(one)
    ? { ...one, properties: { ...one.properties, [key]: String(random.below(VALUES)) } }
    : one;

const dependsOn = (spec: Spec, name: string, other: string): boolean =>
  name === other ||
  (spec[name] === undefined
    ? false
    : dependenciesOf(spec[name]).some((next) => dependsOn(spec, next, other)));

const reordered = (random: Random, spec: Spec, name: string, one: ResourceSpec): ResourceSpec => {
  const after = one.after ?? [];
  if (after.length > 0 && chance(random, 50)) return { ...one, after: after.slice(1) };
  const other = pick(random, Object.keys(spec));
  const isFree = other !== undefined && !dependsOn(spec, other, name);
  return isFree ? { ...one, after: [...new Set([...after, other])] } : one;
};

const remove = (draft: Draft, name: string): void => {
  if (Object.values(draft).some((other) => dependenciesOf(other).includes(name))) return;
  delete draft[name];
};

const add = (random: Random, draft: Draft, one: ResourceSpec): void => {
  const fresh = NAMES.find((name) => draft[name] === undefined);
  const other = pick(random, Object.keys(draft));
  if (fresh === undefined || other === undefined) return;
  const properties = { v: "1", "r!": "0" };
  // The checkers know the reference ids of plain resources only.
  const refers = chance(random, 50) && isPlain(draft[other] ?? {}) ? { to: other } : {};
  const type = isPlain(one) && one.type !== undefined ? { type: one.type } : {};
  draft[fresh] = { ...type, properties, refers };
};

const changeOne = (random: Random, draft: Draft, hasHooks: boolean): void => {
  const name = pick(random, Object.keys(draft));
  const one = name === undefined ? undefined : draft[name];
  if (name === undefined || one === undefined) return;
  const die = random.below(100);
  if (die < 10) remove(draft, name);
  else if (die < 20) add(random, draft, one);
  else if (die < 35) draft[name] = reordered(random, draft, name, one);
  else if (die < 40 && hasHooks) draft[name] = { ...one, hooks: HOOKS.slice(0, random.below(3)) };
  else draft[name] = withProperty(random, one, die < 70 ? "r!" : "v");
};

const nearSpec = (random: Random, now: Spec, hasHooks: boolean): Spec => {
  const draft: Draft = Object.fromEntries(Object.entries(now));
  for (let times = 1 + random.below(2); times > 0; times--) changeOne(random, draft, hasHooks);
  return draft;
};

export const nearUpdates = (seed: number, hasHooks: boolean) => {
  const random = memoryRandom(seed * 22_695_477 + 9);
  const isNear = seed % NEAR_EVERY === 1;
  return (world: World, other: () => Spec): Promise<Worker> => {
    if (!isNear) return world.act("UPDATE", other());
    const now = world.specs.get(world.stack?.templateId ?? "");
    const staysNear = now !== undefined && chance(random, 80);
    const spec = staysNear ? nearSpec(random, now, hasHooks) : other();
    return world.act("UPDATE", spec, STACK_ID, chance(random, 10));
  };
};
