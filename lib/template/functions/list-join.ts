/** list_join: the items of a list as one text. Since 2015-10-15 also of several lists. */
import { validationFailed } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import { isCollection, isEmpty, isJsonArray } from "../json-shape.ts";
import { jsonText, pythonRepr } from "../python-text.ts";
import type { Evaluation, TemplateFunction } from "./function.ts";

/** Heat shortens the value in its error. */
const REPR_CHARACTERS_MAX = 200;

const usage = (example: string): string =>
  `Incorrect arguments to "list_join" should be: "list_join" : ${example}`;

const asList = (value: Json): readonly Json[] => {
  if (isJsonArray(value)) return value;
  throw validationFailed('"list_join" must operate on a list');
};

const asDelimiter = (value: Json): string => {
  if (typeof value === "string") return value;
  throw validationFailed('"list_join" delimiter must be a string');
};

const cannotJoin = (what: string, item: Json) =>
  validationFailed(
    `Items to join must be ${what} not ${pythonRepr(item).slice(0, REPR_CHARACTERS_MAX)}`,
  );

const textOf = (item: Json): string => {
  if (item === null) return "";
  if (typeof item === "string") return item;
  throw cannotJoin("strings", item);
};

const textOrJsonOf = (item: Json): string => {
  if (item === null) return "";
  if (typeof item === "string") return item;
  if (isCollection(item)) return jsonText(item, { sortKeys: true });
  throw cannotJoin("string, map or list", item);
};

const joined = ({ budget }: Evaluation, texts: readonly string[], separator: string): string => {
  const separators = Math.max(texts.length - 1, 0) * separator.length;
  const characters = texts.reduce((sum, text) => sum + text.length, separators);
  budget.mayBuild("list_join", characters);
  return texts.join(separator);
};

const argumentsOf = (args: Json): readonly Json[] => (isJsonArray(args) ? args : []);

export const listJoin: TemplateFunction = {
  name: "list_join",
  description: "The items of a list, joined with a delimiter.",
  refuse: (args) => (argumentsOf(args).length === 2 ? null : usage('[ " ", [ "str1", "str2"]]')),
  evaluate: (args, evaluation) => {
    const [delimiter = null, list = null] = argumentsOf(args).map(evaluation.resolve);
    const items = list === null ? [] : asList(list);
    const separator = asDelimiter(delimiter);
    return joined(evaluation, items.map(textOf), separator);
  },
};

export const listJoinMultiple: TemplateFunction = {
  name: "list_join",
  description: "The items of several lists, joined with a delimiter.",
  refuse: (args) => (argumentsOf(args).length >= 2 ? null : usage('[ " ", [ "str1", "str2"] ...]')),
  evaluate: (args, evaluation) => {
    const [delimiter = null, ...lists] = argumentsOf(args).map(evaluation.resolve);
    const items = lists.flatMap((list) => (isEmpty(list) ? [] : asList(list)));
    const separator = asDelimiter(delimiter);
    return joined(evaluation, items.map(textOrJsonOf), separator);
  },
};
