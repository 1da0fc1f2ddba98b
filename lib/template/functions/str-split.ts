import { validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json, magnitudeOf } from "#lib/json.ts";
import { words } from "#lib/python/spaces.ts";
import { isJsonArray } from "../json-shape.ts";
import { FOUND_CHARACTERS } from "../limits.ts";
import { EMPTY_SEPARATOR, integerFrom, occurrences } from "../python-sequence.ts";
import { pythonType } from "../python-text.ts";
import { argument, integer, NOTHING, optional, row, TEXT, takes } from "./arguments.ts";
import type { Evaluation, TemplateFunction } from "./function.ts";

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
  if (typeof text !== "string") {
    throw validationFailed(`'${pythonType(text)}' object has no attribute 'split'`);
  }
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
