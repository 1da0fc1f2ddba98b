import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { Random } from "#lib/ports/ports.ts";
import {
  CFN_VERSIONS,
  formatOf,
  isCfn,
  VERSION_KEY,
  VERSIONS,
  type Version,
} from "#lib/template/format.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";
import { chance, pick } from "../values.ts";
import { callersOf, conditionCallersOf } from "./callers.ts";
import { anyNumber, aWord, literal, mapOf } from "./literals.ts";
import {
  ATTRIBUTES,
  type Caller,
  type Given,
  type Kind,
  PARAMETERS,
  type ResourceState,
  type World,
} from "./world.ts";

const DEPTH_MAX = 3;
/** The percentage of wrong places in a wrong question. */
const WRONG_PERCENT = 18;
const WRONG_QUESTIONS_PERCENT = 30;
const DIGIT_KEYS_PERCENT = 5;
const CONDITIONS = ["c1", "c2", "c3"] as const;

export type Place = "output" | "condition" | "property";

interface Choice {
  readonly version: Version;
  readonly caller: Caller;
  readonly place: Place;
}

const ALL_VERSIONS: readonly Version[] = [...VERSIONS, ...CFN_VERSIONS];

const choicesOf = (version: Version): readonly Choice[] => [
  ...callersOf(version).flatMap((caller): Choice[] => [
    { version, caller, place: "output" },
    { version, caller, place: "property" },
  ]),
  ...conditionCallersOf(version).map((caller): Choice => ({ version, caller, place: "condition" })),
];

const CHOICES: ReadonlyMap<string, readonly Choice[]> = Map.groupBy(
  ALL_VERSIONS.flatMap(choicesOf),
  ({ caller }) => caller.name,
);
/** yaql is a language of its own, so it gets as many questions as so many functions. */
const YAQL_NAMES = 8;
const NAMES = [...CHOICES.keys()].flatMap((name) =>
  name === "yaql" ? Array.from({ length: YAQL_NAMES }, () => name) : [name],
);

const oneOf = <Item>(random: Random, items: readonly Item[], instead: Item): Item =>
  items[random.below(items.length)] ?? instead;

const deepMap = (random: Random): JsonObject => ({
  a: [1, "x", { k: "v" }],
  k1: mapOf(random, () => literal(random, "any")),
  é: aWord(random),
  ...mapOf(random, () => literal(random, "any")),
});

const parameterValue = (random: Random, kind: Kind): Json => {
  if (kind === "map") return deepMap(random);
  return literal(random, kind);
};

const ACTIONS = [
  "CREATE",
  "UPDATE",
  "SUSPEND",
  "RESUME",
  "CHECK",
  "SNAPSHOT",
  "INIT",
  "DELETE",
] as const;

const aState = (random: Random, name: string): ResourceState => ({
  reference: `${name}-id`,
  attributes: {
    ...Object.fromEntries(
      Object.entries(ATTRIBUTES).map(([attribute, kind]) => [
        attribute,
        attribute === "nothing" ? null : parameterValue(random, kind),
      ]),
    ),
    show: deepMap(random),
  },
  action: chance(random, 85) ? "CREATE" : pick(random, ACTIONS),
  status: chance(random, 90) ? "COMPLETE" : pick(random, ["FAILED", "IN_PROGRESS"]),
});

const givenOf = (random: Random, version: Version): Given => ({
  parameters: Object.fromEntries(
    Object.entries(PARAMETERS).map(([name, { kind }]) => [name, parameterValue(random, kind)]),
  ),
  states: { r1: aState(random, "r1"), r2: aState(random, "r2") },
  files: { "a.txt": "content a", "é.txt": "é\n", empty: "" },
  mappings: {
    m: { k: { v: "x", w: [1, anyNumber(random)] }, é: { v: literal(random, "any"), w: {} } },
  },
  conditions: conditionCallersOf(version).length > 0 ? CONDITIONS : [],
});

interface Making {
  readonly random: Random;
  readonly given: Given;
  readonly callers: readonly Caller[];
  readonly conditionCallers: readonly Caller[];
  readonly isWrong: boolean;
  readonly isOutput: boolean;
}

const KINDS = ["text", "number", "flag", "list", "texts", "map", "any"] as const;

const fits = ({ gives }: Caller, kind: Kind): boolean =>
  gives === null || kind === "any" || gives === kind || (kind === "list" && gives === "texts");

const worldOf = (making: Making, depth: number): World => {
  const { random, given, isWrong } = making;
  const errs = (): boolean => isWrong && chance(random, WRONG_PERCENT);
  const inner = (): World => worldOf(making, depth + 1);
  const value = (wanted: Kind): Json => {
    const kind = errs() ? pick(random, KINDS) : wanted;
    const fitting = making.callers.filter((caller) => fits(caller, kind));
    const [first] = fitting;
    if (depth >= DEPTH_MAX || first === undefined || chance(random, 62))
      return literal(random, kind);
    const caller = oneOf(random, fitting, first);
    return { [caller.name]: caller.args(inner(), kind) };
  };
  const condition = (): Json => {
    const [named] = given.conditions;
    if (named !== undefined && chance(random, 45)) return oneOf(random, given.conditions, named);
    if (chance(random, 15)) return errs() ? null : chance(random, 50);
    const giving = making.conditionCallers.filter(({ gives }) => gives === "flag");
    const [first] = giving;
    if (depth >= DEPTH_MAX || first === undefined) return chance(random, 50);
    const caller = oneOf(random, giving, first);
    const conditionWorld = worldOf({ ...making, callers: making.conditionCallers }, depth + 1);
    return { [caller.name]: caller.args(conditionWorld, "flag") };
  };
  return { random, given, isOutermost: making.isOutput && depth === 1, value, condition, errs };
};

const parameterSection = (version: Version): JsonObject => {
  const words = {
    string: "String",
    number: "Number",
    boolean: "Boolean",
    comma_delimited_list: "CommaDelimitedList",
    json: "Json",
  };
  return Object.fromEntries(
    Object.entries(PARAMETERS).map(([name, { type }]) => [
      name,
      isCfn(version) ? { Type: words[type] } : { type },
    ]),
  );
};

const conditionSection = (making: Making): JsonObject =>
  Object.fromEntries(
    making.given.conditions.map((name, index) => {
      if (chance(making.random, 30)) return [name, chance(making.random, 50)];
      const earlier = making.given.conditions.slice(0, index);
      const given = { ...making.given, conditions: earlier };
      // An error in the conditions would end the question before its snippet.
      const callers = making.conditionCallers.filter((one) => one.name !== "yaql");
      const giving = callers.filter(({ gives }) => gives === "flag");
      const [first] = giving;
      if (first === undefined) return [name, true];
      const world = worldOf(
        { ...making, given, isWrong: false, callers, conditionCallers: callers },
        1,
      );
      const caller = oneOf(making.random, giving, first);
      return [name, { [caller.name]: caller.args(world, "flag") }];
    }),
  );

const versionHeader = (version: Version): JsonObject => {
  if (!isCfn(version)) return { [VERSION_KEY]: version };
  const [key = "", date = ""] = version.split(".");
  return { [key]: date };
};

const templateOf = (making: Making, { version, place }: Choice, snippet: Json): JsonObject => {
  const { sections, resource, output } = formatOf(version);
  const given = { [resource.type]: "Hearth::Given" };
  const user = { ...given, [resource.properties]: { value: snippet } };
  const conditions =
    making.given.conditions.length === 0
      ? {}
      : { ...conditionSection(making), ...(place === "condition" ? { c: snippet } : {}) };
  const chosen = isCfn(version) ? { "Fn::If": ["c", true, false] } : { if: ["c", true, false] };
  const resources = Object.fromEntries(
    Object.keys(making.given.states).map((name) => [name, given]),
  );
  return {
    ...versionHeader(version),
    [sections.parameters]: parameterSection(version),
    ...(sections.mappings === null ? {} : { [sections.mappings]: making.given.mappings }),
    ...(sections.conditions === null || making.given.conditions.length === 0
      ? {}
      : { [sections.conditions]: conditions }),
    [sections.resources]: place === "property" ? { ...resources, user } : resources,
    ...(place === "property"
      ? {}
      : {
          [sections.outputs]: { o: { [output.value]: place === "condition" ? chosen : snippet } },
        }),
  };
};

const facadeOf = (random: Random): JsonObject => ({
  metadata: mapOf(random, () => literal(random, "any")),
  deletion_policy: pick(random, ["Delete", "Retain", "Snapshot"]),
  update_policy: mapOf(random, () => literal(random, "any")),
});

/** JavaScript moves such keys to the front, so the order of an answer would mean little. */
const withoutDigitKeys = (value: Json): Json => {
  if (isJsonArray(value)) return value.map(withoutDigitKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      /^\d+$/.test(key) ? `k${key}` : key,
      withoutDigitKeys(inner),
    ]),
  );
};

const aQuestion = (random: Random): JsonObject => {
  const name = oneOf(random, NAMES, "get_param");
  const [first, ...others] = CHOICES.get(name) ?? [];
  if (first === undefined) throw new Error(`no version calls ${name}`);
  const choice = oneOf(random, [first, ...others], first);
  const given = givenOf(random, choice.version);
  const making: Making = {
    random,
    given,
    callers:
      choice.place === "condition" ? conditionCallersOf(choice.version) : callersOf(choice.version),
    conditionCallers: conditionCallersOf(choice.version),
    isWrong: chance(random, WRONG_QUESTIONS_PERCENT),
    isOutput: choice.place === "output",
  };
  const wanted = choice.place === "condition" ? "flag" : "any";
  const snippet = { [name]: choice.caller.args(worldOf(making, 1), wanted) };
  return {
    subject: name,
    place: choice.place,
    template: templateOf(making, choice, snippet),
    parameters: given.parameters,
    states: given.states,
    files: given.files,
    facade: facadeOf(random),
  };
};

export const functionQuestion = (random: Random): JsonObject => {
  const question = aQuestion(random);
  const renamed = chance(random, DIGIT_KEYS_PERCENT) ? question : withoutDigitKeys(question);
  return isJsonObject(renamed) ? renamed : question;
};
