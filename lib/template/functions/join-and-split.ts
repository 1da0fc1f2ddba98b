import { validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json, magnitudeOf } from "#lib/json.ts";
import { words } from "#lib/python/read-text.ts";
import { isCollection, isEmpty, isJsonArray } from "../json-shape.ts";
import { jsonText, noAttribute, pythonType, shortRepr } from "../python-text.ts";
import { EMPTY_SEPARATOR, integerFrom, occurrences } from "../python-values.ts";
import {
  ANY,
  argument,
  type Evaluation,
  integer,
  listOf,
  mapOfAll,
  NOTHING,
  optional,
  row,
  rowWithRest,
  TEXT,
  type TemplateFunction,
  takes,
  takesWritten,
} from "./function.ts";
import { FOUND_CHARACTERS, JSON_CHARACTERS } from "./value-budget.ts";

const usage = (name: string, example: string): string =>
  `Incorrect arguments to "${name}" should be: "${name}" : ${example}`;

const asList = (name: string, value: Json): readonly Json[] => {
  if (isJsonArray(value)) return value;
  throw validationFailed(`"${name}" must operate on a list`);
};

const asDelimiter = (name: string, value: Json): string => {
  if (typeof value === "string") return value;
  throw validationFailed(`"${name}" delimiter must be a string`);
};

const cannotJoin = (what: string, item: Json) =>
  validationFailed(`Items to join must be ${what} not ${shortRepr(item)}`);

const textOf = (item: Json): string => {
  if (item === null) return "";
  if (typeof item === "string") return item;
  throw cannotJoin("strings", item);
};

const textOrJsonOf =
  (evaluation: Evaluation) =>
  (item: Json): string => {
    if (item === null) return "";
    if (typeof item === "string") return item;
    if (isCollection(item)) return countedJson("list_join", item, evaluation);
    throw cannotJoin("string, map or list", item);
  };

const joined = (
  name: string,
  { budget }: Evaluation,
  texts: readonly string[],
  separator: string,
): string => {
  const separators = Math.max(texts.length - 1, 0) * separator.length;
  const characters = texts.reduce((sum, text) => sum + text.length, separators);
  budget.mayBuild(name, characters);
  return texts.join(separator);
};

const argumentsOf = (args: Json): readonly Json[] => (isJsonArray(args) ? args : []);

const DELIMITER = argument("delimiter", "what stands between the items", TEXT);

const joiningOne = (name: string): TemplateFunction => ({
  name,
  description: "The items of a list, joined with a delimiter.",
  takes: takesWritten(
    row(DELIMITER, argument("items", "what is joined", listOf(TEXT, NOTHING), NOTHING)),
  ),
  refuse: (args) =>
    argumentsOf(args).length === 2 ? null : usage(name, '[ " ", [ "str1", "str2"]]'),
  evaluate: (args, evaluation) => {
    const [delimiter = null, list = null] = argumentsOf(args);
    // Heat checks the list before the delimiter, so the error of the list wins.
    const resolved = evaluation.resolve(list);
    const items = resolved === null ? [] : asList(name, resolved);
    const separator = asDelimiter(name, evaluation.resolve(delimiter));
    return joined(name, evaluation, items.map(textOf), separator);
  },
});

export const listJoin = joiningOne("list_join");
export const cfnJoin = joiningOne("Fn::Join");

export const listJoinMultiple: TemplateFunction = {
  name: "list_join",
  description: "The items of several lists, joined with a delimiter.",
  takes: takesWritten(
    rowWithRest(
      DELIMITER,
      argument(
        "items",
        "what is joined; maps and lists in it become JSON",
        listOf(TEXT, mapOfAll(ANY), listOf(ANY), NOTHING),
        NOTHING,
      ),
    ),
  ),
  refuse: (args) =>
    argumentsOf(args).length >= 2 ? null : usage("list_join", '[ " ", [ "str1", "str2"] ...]'),
  evaluate: (args, evaluation) => {
    const [delimiter = null, ...unresolved] = argumentsOf(args);
    const lists = unresolved.map(evaluation.resolve);
    const items = lists.flatMap((list) => (isEmpty(list) ? [] : asList("list_join", list)));
    const separator = asDelimiter("list_join", evaluation.resolve(delimiter));
    return joined("list_join", evaluation, items.map(textOrJsonOf(evaluation)), separator);
  },
};

const USAGE =
  'Incorrect arguments to "str_split" should be: "str_split" : [ ",", "apples,pears", <index>]';
const WRONG_INDEX = USAGE.replace("arguments", "index");

const PART_CHARACTERS = 3;

export const splitText = (
  name: string,
  text: string,
  separator: string,
  { budget }: Evaluation,
  isWhole: boolean,
): readonly string[] => {
  if (separator === "") throw validationFailed(EMPTY_SEPARATOR);
  budget.search(name, text.length);
  const separators = occurrences(text, separator);
  budget.search(name, separators * FOUND_CHARACTERS);
  const kept = text.length - separators * separator.length;
  if (isWhole) budget.mayBuild(name, kept + (separators + 1) * PART_CHARACTERS);
  return text.split(separator);
};

const partsOf = (
  text: Json,
  separator: Json,
  evaluation: Evaluation,
  isWhole: boolean,
): readonly string[] => {
  if (typeof text !== "string") throw validationFailed(noAttribute(text, "split"));
  if (typeof separator === "string") {
    return splitText("str_split", text, separator, evaluation, isWhole);
  }
  if (separator !== null) {
    throw validationFailed(`must be str or None, not ${pythonType(separator)}`);
  }
  evaluation.budget.search("str_split", text.length * FOUND_CHARACTERS);
  return words(text);
};

const partAt = (parts: readonly string[], at: Json): string => {
  const index = integerFrom(at);
  if (index === null) throw validationFailed(WRONG_INDEX);
  const part = parts.at(Number(magnitudeOf(index)));
  if (part !== undefined) return part;
  const last = parts.length - 1;
  throw validationFailed(`Incorrect index to "str_split" should be between 0 and ${last}`);
};

export const strSplit: TemplateFunction = {
  name: "str_split",
  description: "The parts of a text between delimiters, or one of them by its index.",
  takes: takes(
    row(
      argument("delimiter", "what stands between the parts; null is any space", TEXT, NOTHING),
      argument("text", "what has the parts", TEXT, NOTHING),
      optional(argument("index", "which part; -1 is the last one", integer())),
    ),
  ),
  refuse: (args, isCall) =>
    typeof args === "string" || (isJsonObject(args) && !isCall(args)) ? USAGE : null,
  evaluate: (unresolved, evaluation) => {
    const args = evaluation.resolve(unresolved);
    // Heat reads argument 0 without a check, and a map has no member 0 (KeyError).
    if (isJsonObject(args)) throw validationFailed("0");
    const [separator, text, index] = isJsonArray(args) ? args : [];
    if (separator === undefined || text === undefined) throw validationFailed(USAGE);
    if (text === null) return null;
    const parts = partsOf(text, separator, evaluation, index === undefined);
    return index === undefined ? parts : partAt(parts, index);
  },
};

export const countedJson = (
  functionName: string,
  value: Json,
  { budget }: Pick<Evaluation, "budget">,
): string => {
  const text = jsonText(value, { sortKeys: true });
  budget.search(functionName, text.length * JSON_CHARACTERS);
  return text;
};
