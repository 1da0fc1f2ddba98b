import { validationFailed } from "#lib/errors.ts";
import { isEmpty, isJsonArray } from "../json-shape.ts";
import { COMPARED_ITEM_CHARACTERS } from "../limits.ts";
import { equalityText } from "../python-equality.ts";
import { ANY, argument, listOf, NOTHING, row, takesWritten } from "./arguments.ts";
import type { TemplateFunction } from "./function.ts";

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
