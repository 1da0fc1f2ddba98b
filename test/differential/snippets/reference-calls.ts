import { isJsonObject, type Json } from "#lib/json.ts";
import type { Random } from "#lib/ports/ports.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";
import { chance, pick } from "../values.ts";
import { aWord } from "./literals.ts";
import { ATTRIBUTES, type Caller, type Kind, PARAMETERS, type World } from "./world.ts";

const oneOf = <Item>(random: Random, items: readonly Item[]): Item | undefined =>
  items[random.below(items.length)];

const fits = (kind: Kind, wanted: Kind): boolean =>
  wanted === "any" || kind === wanted || (kind === "texts" && wanted === "list");

const aStep = (world: World, value: Json, odd: readonly Json[]): Json => {
  const { random } = world;
  if (chance(random, 12)) return oneOf(random, odd) ?? null;
  if (isJsonArray(value)) return random.below(value.length + 2) - 1;
  if (isJsonObject(value)) return oneOf(random, Object.keys(value)) ?? "k";
  return typeof value === "string" ? random.below(4) - 1 : aWord(random);
};

const at = (value: Json, step: Json): Json => {
  if (isJsonArray(value)) return typeof step === "number" ? (value.at(step) ?? null) : null;
  if (isJsonObject(value)) return typeof step === "string" ? (value[step] ?? null) : null;
  return null;
};

const ODD_STEPS = [
  "0",
  "1",
  "-1",
  " 1 ",
  "x",
  "",
  true,
  false,
  1.5,
  null,
  99,
  [0],
  { a: 1 },
] as const;

const aPath = (world: World, from: Json): readonly Json[] => {
  const path: Json[] = [];
  let value = from;
  while (path.length < 3 && chance(world.random, 65)) {
    const step = aStep(world, value, ODD_STEPS);
    path.push(step);
    value = at(value, step);
  }
  return path;
};

const withCalls = (world: World, path: readonly Json[]): readonly Json[] =>
  path.map((step) =>
    typeof step === "string" && chance(world.random, 6) ? world.value("text") : step,
  );

const PSEUDO = ["OS::stack_name", "OS::stack_id", "OS::project_id"] as const;

export const parameterNamed = (world: World, wanted: Kind): string => {
  const entries = Object.entries(PARAMETERS).filter(([, { kind }]) => fits(kind, wanted));
  return (oneOf(world.random, entries) ?? ["s"])[0];
};

const getParam: Caller = {
  name: "get_param",
  gives: null,
  args: (world, wanted) => {
    const { random } = world;
    if (world.errs()) return world.value("any");
    if (world.errs()) return pick(random, ["nope", "OS::region", "", "AWS::Region"]);
    if (wanted === "text" && chance(random, 10)) return pick(random, PSEUDO);
    const name = parameterNamed(world, wanted);
    if (wanted !== "any" || chance(random, 30)) return chance(random, 80) ? name : [name];
    return [name, ...withCalls(world, aPath(world, world.given.parameters[name] ?? null))];
  },
};

const resourceNamed = (world: World): string =>
  world.errs() ? "nope" : (oneOf(world.random, Object.keys(world.given.states)) ?? "nope");

const getResource: Caller = {
  name: "get_resource",
  gives: "text",
  args: (world) => (world.errs() ? world.value("text") : resourceNamed(world)),
};

const attributeNamed = (world: World, wanted: Kind): string => {
  if (world.errs()) return "nope";
  const entries = Object.entries(ATTRIBUTES).filter(([, kind]) => fits(kind, wanted));
  if (wanted === "any" && chance(world.random, 8)) return "show";
  return (oneOf(world.random, entries) ?? ["nothing"])[0];
};

const getAttr = (all: boolean): Caller => ({
  name: "get_attr",
  gives: null,
  args: (world, wanted) => {
    const { random } = world;
    if (world.errs()) return world.value("any");
    const name = resourceNamed(world);
    if (all && (wanted === "map" || wanted === "any") && chance(random, 12)) {
      return chance(random, 70) ? [name] : [name, null];
    }
    const attribute = attributeNamed(world, wanted);
    if (wanted !== "any") return [name, attribute];
    const value = world.given.states[name]?.attributes[attribute] ?? null;
    return [name, attribute, ...withCalls(world, aPath(world, value))];
  },
});

const facade = (name: string, words: readonly [string, string, string]): Caller => ({
  name,
  gives: null,
  args: (world, wanted) => {
    if (world.errs()) return world.value("any");
    if (wanted === "text") return words[1];
    return wanted === "map" ? words[0] : pick(world.random, words);
  },
});

export const REFERENCE_CALLS: readonly Caller[] = [
  getParam,
  getResource,
  getAttr(false),
  facade("resource_facade", ["metadata", "deletion_policy", "update_policy"]),
];

export const GET_ATTR_OR_ALL: Caller = getAttr(true);

const ref: Caller = {
  name: "Ref",
  gives: null,
  args: (world, wanted) => {
    const { random } = world;
    if (world.errs()) return world.value("any");
    if (wanted === "text" && chance(random, 30)) return resourceNamed(world);
    if (wanted === "text" && chance(random, 10))
      return pick(random, ["AWS::StackName", "AWS::Region", "AWS::StackId"]);
    return parameterNamed(world, wanted);
  },
};

const getAtt: Caller = {
  name: "Fn::GetAtt",
  gives: null,
  args: (world, wanted) =>
    world.errs() ? world.value("any") : [resourceNamed(world), attributeNamed(world, wanted)],
};

export const CFN_REFERENCE_CALLS: readonly Caller[] = [
  ref,
  facade("Fn::ResourceFacade", ["Metadata", "DeletionPolicy", "UpdatePolicy"]),
];
export const GET_ATT: Caller = getAtt;
export const GET_PARAM: Caller = getParam;
/** In conditions, Ref accepts parameters only. */
export const REF_TO_PARAMETER: Caller = {
  ...ref,
  args: (world, wanted) => (world.errs() ? world.value("any") : parameterNamed(world, wanted)),
};
