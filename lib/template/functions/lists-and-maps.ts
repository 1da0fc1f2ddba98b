import { type RequestError, validationFailed } from "#lib/errors.ts";
import {
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
  mapOf,
  numberText,
} from "#lib/json.ts";
import { characterAt, isCollection, isEmpty, isJsonArray, member } from "../json-shape.ts";
import { jsonText, pythonText, pythonType, shortRepr } from "../python-text.ts";
import { equalityText } from "../python-values.ts";
import {
  ANY,
  argument,
  keys,
  listOf,
  mapOfAll,
  NOTHING,
  optional,
  row,
  SCALAR,
  TEXT,
  type TemplateFunction,
  takes,
  takesWritten,
} from "./function.ts";
import { COMPARED_ITEM_CHARACTERS } from "./value-budget.ts";

const concatUsage = (name: string): string =>
  `Incorrect arguments to "${name}" should be: "${name}" : [ [ <value 1>, <value 2> ], [ <value 3>, <value 4> ] ]`;

const ITEM_CHARACTERS_MIN = 2;

const inOrder = { sortKeys: false };

const listsOf = (args: readonly Json[]): readonly (readonly Json[])[] =>
  args.map((item) => {
    if (item === null) return [];
    if (isJsonArray(item)) return item;
    throw validationFailed(
      `Incorrect arguments: Items to concat must be lists. ${jsonText(args, inOrder)} contains an item that is not a list: ${jsonText(item, inOrder)}`,
    );
  });

const unique = (items: readonly Json[]): readonly Json[] => {
  const seen = new Set<string>();
  return items.filter((item) => {
    const text = equalityText(item);
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew;
  });
};

const concatenating = (name: string, description: string, isUnique: boolean): TemplateFunction => ({
  name,
  description,
  takes: takes(listOf(listOf(ANY), NOTHING)),
  refuse: () => null,
  evaluate: (unresolved, evaluation) => {
    const args = evaluation.resolve(unresolved);
    if (!isJsonArray(args)) throw validationFailed(concatUsage(name));
    const lists = listsOf(args);
    const count = lists.reduce((sum, list) => sum + list.length, 0);
    evaluation.budget.mayBuild(name, count * ITEM_CHARACTERS_MIN);
    if (!isUnique) return lists.flat();
    evaluation.budget.search(name, count * COMPARED_ITEM_CHARACTERS);
    return unique(lists.flat());
  },
});

export const listConcat = concatenating(
  "list_concat",
  "The items of several lists in one list.",
  false,
);
export const listConcatUnique = concatenating(
  "list_concat_unique",
  "The items of several lists in one list, each once.",
  true,
);

export const filter: TemplateFunction = {
  name: "filter",
  description: "A list without some values.",
  takes: takesWritten(
    row(
      argument("values", "what to leave out", listOf(ANY), NOTHING),
      argument("list", "what to take the values from", listOf(ANY), NOTHING),
    ),
  ),
  refuse: (args) => {
    if (!isJsonArray(args)) return 'Argument to "filter" must be a list';
    if (args.length === 2) return null;
    return `"filter" expected 2 arguments of the form [values, sequence] but got ${args.length} arguments instead`;
  },
  evaluate: (args, { resolve, budget }) => {
    const [unwanted = null, list = null] = isJsonArray(args) ? args : [];
    const items = resolve(list);
    if (isEmpty(items)) return items;
    if (!isJsonArray(items)) throw validationFailed('"filter" only works with lists');
    const values = resolve(unwanted);
    if (isEmpty(values)) return items;
    if (!isJsonArray(values)) throw validationFailed('"filter" filters a list of values');
    budget.search("filter", (items.length + values.length) * COMPARED_ITEM_CHARACTERS);
    const texts = new Set(values.map(equalityText));
    return items.filter((item) => !texts.has(equalityText(item)));
  },
};

const CONTAINS_USAGE =
  'Incorrect arguments to "contains" should be: "contains" : [ "value1", [ "value1", "value2"]]';
const TWO_ARGUMENTS = 'Arguments to "contains" must be of the form: [value1, [value1, value2]]';

export const contains: TemplateFunction = {
  name: "contains",
  description: "Whether a list has a value, or a text a part.",
  takes: takesWritten(
    row(argument("value", "what is looked for", ANY), argument("list", "where", listOf(ANY))),
    row(argument("part", "what is looked for", TEXT), argument("text", "where", TEXT)),
  ),
  mayStandInCondition: true,
  refuse: (args) => {
    if (!isJsonArray(args) || args.length === 0) return CONTAINS_USAGE;
    return args.length === 2 ? null : TWO_ARGUMENTS;
  },
  evaluate: (args, { resolve, budget }) => {
    const [value = null, sequence = null] = isJsonArray(args) ? args.map(resolve) : [];
    if (isJsonArray(sequence)) {
      budget.search("contains", sequence.length * COMPARED_ITEM_CHARACTERS);
      const wanted = equalityText(value);
      return sequence.some((item) => equalityText(item) === wanted);
    }
    if (typeof sequence !== "string") {
      throw validationFailed('Second argument to "contains" should be a sequence.');
    }
    if (typeof value !== "string") {
      throw validationFailed(
        `'in <string>' requires string as left operand, not ${pythonType(value)}`,
      );
    }
    budget.search("contains", sequence.length);
    return sequence.includes(value);
  },
};

const MERGE_USAGE =
  'Incorrect arguments to "map_merge" should be: "map_merge" : [ { "key1": "val1" }, { "key2": "val2" } ]';

const notAMap = (item: Json): RequestError =>
  validationFailed(
    `Incorrect arguments: Items to merge must be maps. ${shortRepr(item)} is type <class '${pythonType(item)}'> instead of a dict`,
  );

const entriesOf = (item: Json): readonly (readonly [string, Json])[] => {
  if (item === null) return [];
  if (isJsonObject(item)) return Object.entries(item);
  throw notAMap(item);
};

export const mapMerge: TemplateFunction = {
  name: "map_merge",
  description: "One map of several maps.",
  takes: takes(listOf(mapOfAll(ANY), NOTHING)),
  refuse: () => null,
  evaluate: (unresolved, evaluation) => {
    const args = evaluation.resolve(unresolved);
    if (isJsonArray(args)) return mapOf(args.flatMap(entriesOf));
    // In Python a text is a list of characters, and no character is a map.
    if (args === "") return {};
    throw typeof args === "string"
      ? notAMap(characterAt(args, 0) ?? "")
      : validationFailed(MERGE_USAGE);
  },
};

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
