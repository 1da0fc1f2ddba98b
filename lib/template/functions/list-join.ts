import { validationFailed } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import { isCollection, isEmpty, isJsonArray } from "../json-shape.ts";
import { shortRepr } from "../python-text.ts";
import {
  ANY,
  argument,
  listOf,
  mapOfAll,
  NOTHING,
  row,
  rowWithRest,
  TEXT,
  takesWritten,
} from "./arguments.ts";
import { countedJson } from "./counted-json.ts";
import type { Evaluation, TemplateFunction } from "./function.ts";

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
