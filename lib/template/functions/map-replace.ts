import { validationFailed } from "#lib/errors.ts";
import {
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
  mapOf,
  numberText,
} from "#lib/json.ts";
import { isCollection, isJsonArray, member } from "../json-shape.ts";
import { equalityText } from "../python-equality.ts";
import { pythonText, pythonType } from "../python-text.ts";
import {
  ANY,
  argument,
  keys,
  mapOfAll,
  NOTHING,
  optional,
  row,
  SCALAR,
  takes,
} from "./arguments.ts";
import type { TemplateFunction } from "./function.ts";

const EXAMPLE =
  '"map_replace" : [ { "key1": "val1" }, {"keys": {"key1": "key2"}, "values": {"val1": "val2"}}]';
const REPLACE_USAGE = `Incorrect arguments to "map_replace" should be: ${EXAMPLE}`;
const NO_MAP = `Incorrect arguments: to "map_replace", arguments must be a list of maps. Example:  ${EXAMPLE}`;

const asMap = (value: Json | undefined): JsonObject => {
  if (value === undefined) throw validationFailed(REPLACE_USAGE);
  if (value === null) return {};
  if (isJsonObject(value)) return value;
  throw validationFailed(NO_MAP);
};

const keyText = (key: Json): string => {
  if (typeof key === "boolean") return String(key);
  return isJsonNumber(key) ? numberText(key) : pythonText(key);
};

const newKey = (
  key: string,
  replacement: Json,
  input: JsonObject,
  taken: ReadonlySet<string>,
): Json => {
  if (replacement === null) return key;
  if (isCollection(replacement)) {
    throw validationFailed(`unhashable type: '${pythonType(replacement)}'`);
  }
  const collides = (where: string) =>
    validationFailed(
      `key replacement ${pythonText(replacement)} collides with a key in the ${where} map`,
    );
  if (typeof replacement === "string" && replacement !== key && Object.hasOwn(input, replacement)) {
    throw collides("input");
  }
  if (taken.has(equalityText(replacement))) throw collides("output");
  return replacement;
};

const replaced = (input: JsonObject, keys: JsonObject, values: JsonObject): Json => {
  const entries: [string, Json][] = [];
  const taken = new Set<string>();
  for (const [key, value] of Object.entries(input)) {
    const target = newKey(key, member(keys, key) ?? null, input, taken);
    taken.add(equalityText(target));
    const other = typeof value === "string" ? member(values, value) : undefined;
    entries.push([keyText(target), other === undefined ? value : other]);
  }
  return mapOf(entries);
};

const REPLACEMENTS = keys(
  optional(argument("keys", "the new key for an old one", mapOfAll(SCALAR, NOTHING), NOTHING)),
  optional(argument("values", "the new value for an old text", mapOfAll(ANY), NOTHING)),
);

export const mapReplace: TemplateFunction = {
  name: "map_replace",
  description: "A map with some of its keys and values replaced.",
  takes: takes(
    row(
      argument("map", "what is changed", mapOfAll(ANY), NOTHING),
      argument("replacements", "what replaces what", REPLACEMENTS, NOTHING),
    ),
  ),
  refuse: () => null,
  evaluate: (unresolved, evaluation) => {
    const args = evaluation.resolve(unresolved);
    // Heat reads argument 0 without a check, and a map has no member 0 (KeyError).
    if (isJsonObject(args)) throw validationFailed("0");
    if (!isJsonArray(args)) throw validationFailed(REPLACE_USAGE);
    const input = asMap(args[0]);
    const replacements = asMap(args[1]);
    const isKnown = (key: string): boolean => key === "keys" || key === "values";
    if (args.length > 2 || !Object.keys(replacements).every(isKnown)) {
      throw validationFailed(REPLACE_USAGE);
    }
    const keys = asMap(member(replacements, "keys") ?? null);
    const values = asMap(member(replacements, "values") ?? null);
    return replaced(input, keys, values);
  },
};
