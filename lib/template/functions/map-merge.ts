import { type RequestError, validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json, mapOf } from "#lib/json.ts";
import { characterAt, isJsonArray } from "../json-shape.ts";
import { pythonType, shortRepr } from "../python-text.ts";
import { ANY, listOf, mapOfAll, NOTHING, takes } from "./arguments.ts";
import type { TemplateFunction } from "./function.ts";

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
