import { RequestError } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { Random } from "#lib/ports/ports.ts";
import { checkedValues } from "#lib/stack/record/parameter-values.ts";
import { VERSIONS } from "#lib/template/format.ts";
import { isEmpty, member } from "#lib/template/json-shape.ts";
import { describeParameters, parameterTexts } from "#lib/template/parameters/parameters.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";
import type { Lane } from "./lane.ts";
import { aList, aMap, aNumber, aNumberText, aText, aValue, chance, pick } from "./values.ts";

const CLOCK = { clock: { now: () => Date.now() } };
const TYPES = ["string", "number", "comma_delimited_list", "json", "boolean"] as const;
const NEWEST = ["2021-04-16", "2021-04-16", "2021-04-16"] as const;
const PATTERNS = ["[a-z]+", "", "a|ab", ".*", "[0-9]{1,3}", "a b", "é"] as const;
const CUSTOM = ["ip_addr", "nosuch", "json_string", "dns_name"] as const;

const oddly = <T extends Json>(random: Random, usual: () => T): Json =>
  chance(random, 92) ? usual() : aValue(random);

const bounds = (random: Random, keys: readonly [string, string], value: () => Json): JsonObject => {
  const given = keys.filter(() => chance(random, 75));
  return Object.fromEntries(given.map((key) => [key, oddly(random, value)]));
};

const aSize = (random: Random): Json => pick(random, [0, 1, 2, 3, 5, "2", 2.5]);

const aRule = (random: Random): JsonObject => {
  switch (pick(random, ["range", "length", "modulo", "values", "pattern", "custom"] as const)) {
    case "range":
      return { range: bounds(random, ["min", "max"], () => aNumber(random)) };
    case "length":
      return { length: bounds(random, ["min", "max"], () => aSize(random)) };
    case "modulo":
      return { modulo: bounds(random, ["step", "offset"], () => aNumber(random)) };
    case "values":
      return { allowed_values: oddly(random, () => aList(random)) };
    case "pattern":
      return { allowed_pattern: chance(random, 92) ? pick(random, PATTERNS) : aList(random) };
    case "custom":
      return { custom_constraint: pick(random, CUSTOM) };
  }
};

const aConstraint = (random: Random): Json => {
  const rule = aRule(random);
  return chance(random, 20) ? { ...rule, description: aText(random) } : rule;
};

const RULES_BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: ["length", "allowed_values", "allowed_pattern", "custom_constraint"],
  number: ["range", "modulo", "allowed_values"],
  comma_delimited_list: ["length", "allowed_values"],
  json: ["length"],
  boolean: ["allowed_values"],
};

/** Most constraints fit the type, so that the value itself is checked too. */
const someConstraints = (random: Random, type: Json): Json[] => {
  const fitting = RULES_BY_TYPE[String(type)] ?? [];
  const made = Array.from({ length: 6 }, () => aConstraint(random));
  const kept = made.filter(
    (one) =>
      chance(random, 3) || fitting.some((rule) => isJsonObject(one) && Object.hasOwn(one, rule)),
  );
  return kept.slice(0, 1 + random.below(2));
};

const valueFor = (random: Random, type: Json): Json => {
  if (chance(random, 15)) return aValue(random);
  if (type === "number") return chance(random, 50) ? aNumber(random) : aNumberText(random);
  if (type === "boolean") return chance(random, 30) ? chance(random, 50) : aText(random);
  if (type === "json") return chance(random, 50) ? aMap(random) : aText(random);
  if (type === "comma_delimited_list") return chance(random, 50) ? aList(random) : aText(random);
  return chance(random, 80) ? aText(random) : aNumber(random);
};

const aSchema = (random: Random): Json => {
  if (chance(random, 1)) return aValue(random);
  const type = chance(random, 98) ? pick(random, TYPES) : aValue(random);
  const maybe = (percent: number, key: string, value: () => Json): JsonObject =>
    chance(random, percent) ? { [key]: value() } : {};
  return {
    ...maybe(99, "type", () => type),
    ...maybe(30, "default", () => valueFor(random, type)),
    ...maybe(55, "constraints", () => oddly(random, () => someConstraints(random, type))),
    ...maybe(5, "hidden", () => aValue(random)),
    ...maybe(5, "immutable", () => aValue(random)),
    ...maybe(10, "label", () => aValue(random)),
    ...maybe(10, "description", () => aValue(random)),
    ...maybe(3, "tags", () => aValue(random)),
    ...maybe(1, "bogus", () => aValue(random)),
  };
};

const question = (random: Random): JsonObject => {
  const schema = aSchema(random);
  const type = isJsonObject(schema) ? (member(schema, "type") ?? null) : null;
  return {
    version: pick(random, [...NEWEST, ...VERSIONS]),
    schema,
    ...(chance(random, 85) ? { value: valueFor(random, type) } : {}),
    ...(chance(random, 15) ? { fallback: valueFor(random, type) } : {}),
  };
};

const given = (asked: JsonObject, key: string): JsonObject => {
  const value = member(asked, key);
  return value === undefined ? {} : { p: value };
};

const answered = (asked: JsonObject): JsonObject => {
  const template = parseTemplate({
    heat_template_version: asked["version"] ?? null,
    parameters: { p: asked["schema"] ?? null },
  });
  const parameters = given(asked, "value");
  const parameterDefaults = given(asked, "fallback");
  const values = checkedValues(CLOCK, template, { parameters, parameterDefaults });
  const described = describeParameters(template, parameters, parameterDefaults);
  return {
    value: values.get("p") ?? null,
    text: parameterTexts(template, values)["p"] ?? null,
    described: described["p"] ?? null,
  };
};

export const refusalOf = (run: () => JsonObject): JsonObject => {
  try {
    return run();
  } catch (failure) {
    if (!(failure instanceof RequestError)) throw failure;
    return { type: failure.code, message: failure.message };
  }
};

/** Hearth's errors hide the values of hidden parameters, but Heat's show them. */
const isHidden = ({ schema = null }: JsonObject): boolean =>
  isJsonObject(schema) && !isEmpty(member(schema, "hidden"));

const compared = (answer: JsonObject, asked: JsonObject): JsonObject => {
  const { type, message, phase: _, ...rest } = answer;
  if (type === undefined) return rest;
  return isHidden(asked) ? { type } : { type, message: message ?? null };
};

export const parameters: Lane = {
  operation: "parameters",
  share: 4,
  question,
  subject: ({ schema = null }) => {
    const type = isJsonObject(schema) ? (member(schema, "type") ?? null) : null;
    return TYPES.some((known) => known === type) ? `parameter ${String(type)}` : "parameter (odd)";
  },
  ours: (asked) => refusalOf(() => answered(asked)),
  compared,
};
