import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { Random } from "#lib/ports/ports.ts";
import { mergeEnvironments, parseEnvironment } from "#lib/template/environment/environment.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";
import { environmentIn, parseTemplate, readText } from "#lib/template/parse/parse.ts";
import { jsonText } from "#lib/template/python-text.ts";
import type { Lane } from "./lane.ts";
import { refusalOf } from "./parameters.ts";
import { aList, aMap, aNumber, aText, aValue, chance, pick } from "./values.ts";

const TYPES = ["string", "number", "comma_delimited_list", "json", "boolean"] as const;
const STRATEGIES = ["overwrite", "merge", "deep_merge", "bogus"] as const;
const NAMES = ["string", "number", "comma_delimited_list", "json", "boolean", "unknown"] as const;

const aValueOf = (random: Random, name: string): Json => {
  if (chance(random, 10)) return aValue(random);
  if (name === "json") return chance(random, 80) ? aMap(random) : aText(random);
  if (name === "number") return chance(random, 50) ? aNumber(random) : aText(random);
  if (name === "boolean") return chance(random, 50) ? chance(random, 50) : aText(random);
  if (name === "comma_delimited_list" && chance(random, 50)) return aList(random);
  return aText(random);
};

const someValues = (random: Random): JsonObject =>
  Object.fromEntries(
    NAMES.filter(() => chance(random, 35)).map((name) => [name, aValueOf(random, name)]),
  );

/** Most files of a question agree about the strategies. */
const someStrategies = (random: Random): JsonObject => {
  const names = ["default", ...TYPES].filter(() => chance(random, 25));
  return Object.fromEntries(names.map((name) => [name, pick(random, STRATEGIES)]));
};

const aFile = (random: Random, strategies: JsonObject): Json => ({
  ...(chance(random, 80) ? { parameters: someValues(random) } : {}),
  ...(chance(random, 40) ? { parameter_defaults: someValues(random) } : {}),
  ...(chance(random, 80)
    ? { parameter_merge_strategies: chance(random, 90) ? strategies : someStrategies(random) }
    : {}),
});

/**
 * JSON that every YAML parser reads in the same way: ASCII only, and a point in each number with an
 * exponent.
 */
const yamlOf = (file: Json): string =>
  jsonText(file, { sortKeys: false }).replace(/(?<=[\s[:,])(-?\d)e(?=[+-])/g, "$1.0e");

const question = (random: Random): JsonObject => {
  const strategies = someStrategies(random);
  const files = Array.from({ length: 1 + random.below(3) }, () => aFile(random, strategies));
  return {
    version: "2021-04-16",
    parameters: Object.fromEntries(TYPES.map((type) => [type, { type }])),
    files: files.map(yamlOf),
    ...(chance(random, 25) ? { given: someValues(random) } : {}),
  };
};

const merged = (asked: JsonObject): JsonObject => {
  const template = parseTemplate({
    heat_template_version: asked["version"] ?? null,
    parameters: asked["parameters"] ?? null,
  });
  const texts = isJsonArray(asked["files"] ?? null) ? Object.values(asked["files"] ?? []) : [];
  const files = texts.map((text, index) => ({
    name: `${index}.yaml`,
    environment: parseEnvironment(environmentIn(readText(String(text)))),
  }));
  const given = asked["given"] ?? {};
  const base = { ...parseEnvironment({}), parameters: isJsonObject(given) ? given : {} };
  const environment = mergeEnvironments(base, files, template.parameters);
  const { parameters, parameterDefaults } = environment;
  return { parameters, parameter_defaults: parameterDefaults };
};

export const environments: Lane = {
  operation: "environment",
  share: 2,
  question,
  subject: () => "environment",
  ours: (asked) => refusalOf(() => merged(asked)),
  compared: ({ phase: _, ...answer }) => answer,
};
