import { validationFailed } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import { isJsonArray } from "../json-shape.ts";
import { COMPARED_ITEM_CHARACTERS } from "../limits.ts";
import { equalityText } from "../python-equality.ts";
import { jsonText } from "../python-text.ts";
import { ANY, listOf, NOTHING, takes } from "./arguments.ts";
import type { TemplateFunction } from "./function.ts";

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
