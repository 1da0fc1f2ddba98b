import { validationFailed } from "#lib/errors.ts";
import { isJsonArray } from "../json-shape.ts";
import { COMPARED_ITEM_CHARACTERS } from "../limits.ts";
import { equalityText } from "../python-equality.ts";
import { pythonType } from "../python-text.ts";
import { ANY, argument, listOf, row, TEXT, takesWritten } from "./arguments.ts";
import type { TemplateFunction } from "./function.ts";

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
