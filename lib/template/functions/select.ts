import { validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json, magnitudeOf } from "#lib/json.ts";
import { describeJsonError } from "../json-error.ts";
import {
  DEPTH_MAX,
  isCollection,
  isDeeperThan,
  isJsonArray,
  jsonFromText,
  member,
  TOO_DEEP,
} from "../json-shape.ts";
import { integerFrom, itemsOf } from "../python-sequence.ts";
import {
  ANY,
  argument,
  integer,
  listOf,
  mapOfAll,
  NOTHING,
  row,
  TEXT,
  takesWritten,
  textLike,
} from "./arguments.ts";
import { wrongItems } from "./cloudformation.ts";
import type { Evaluation, TemplateFunction } from "./function.ts";

const SELECT_USAGE = 'Arguments to "Fn::Select" must be of the form [index, collection]';

const collectionIn = (text: string, { budget }: Evaluation): Json => {
  budget.search("Fn::Select", text.length);
  const collection = jsonFromText(text);
  if (collection === undefined) throw validationFailed(`"Fn::Select": ${describeJsonError(text)}`);
  if (isDeeperThan(collection, DEPTH_MAX)) throw validationFailed(`"Fn::Select": ${TOO_DEEP}`);
  return collection;
};

const itemAt = (list: readonly Json[], key: Json): Json => {
  const index = key === null || isCollection(key) ? null : integerFrom(key);
  if (index === null) throw validationFailed('Index to "Fn::Select" must be an integer');
  const item = list.at(Number(magnitudeOf(index)));
  return item === undefined ? "" : item;
};

export const cfnSelect: TemplateFunction = {
  name: "Fn::Select",
  description: "An item of a list or a map, or an empty text.",
  takes: takesWritten(
    row(
      argument("index", "counts from 0", integer()),
      argument("list", "may be written in JSON", listOf(ANY), textLike('["a"]'), NOTHING),
    ),
    row(
      argument("key", "what the item is called", TEXT),
      argument("map", "may be written in JSON", mapOfAll(ANY), textLike('{"a": "b"}'), NOTHING),
    ),
  ),
  refuse: (args, isCall) => wrongItems(args, isCall, 2, SELECT_USAGE),
  evaluate: (args, evaluation) => {
    const [lookup = null, unresolved = null] = itemsOf(args) ?? [];
    const key = evaluation.resolve(lookup);
    const given = evaluation.resolve(unresolved);
    if (given === "") return "";
    const collection = typeof given === "string" ? collectionIn(given, evaluation) : given;
    if (isJsonObject(collection)) {
      if (typeof key !== "string") throw validationFailed('Index to "Fn::Select" must be a string');
      const value = member(collection, key);
      return value === undefined ? "" : value;
    }
    if (isJsonArray(collection)) return itemAt(collection, key);
    if (collection === null) return "";
    throw validationFailed("Arguments to Fn::Select not fully resolved");
  },
};
