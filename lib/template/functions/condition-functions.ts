/** equals, not, and, or: what only conditions know. Elsewhere these words are plain keys. */
import { isJsonArray } from "../json-shape.ts";
import { equalityText } from "../python-equality.ts";
import type { TemplateFunction } from "./function.ts";

const EQUALS_USAGE = 'Arguments to "equals" must be of the form: [value_1, value_2]';

const equals: TemplateFunction = {
  name: "equals",
  description: "Whether two values are equal.",
  refuse: (args) => (isJsonArray(args) && args.length === 2 ? null : EQUALS_USAGE),
  evaluate: (args, { resolve }) => {
    const [left = null, right = null] = isJsonArray(args) ? args.map(resolve) : [];
    return equalityText(left) === equalityText(right);
  },
};

const not: TemplateFunction = {
  name: "not",
  description: "Whether a condition is false.",
  refuse: (args) => (args === null ? 'Argument to "not" must be a condition' : null),
  evaluate: (args, { resolve, isEnabled }) => !isEnabled(resolve(args)),
};

const refuseConditions =
  (name: string): TemplateFunction["refuse"] =>
  (args, isCall) => {
    if (!isJsonArray(args) || isCall(args)) {
      return `Arguments to "${name}" must be a list of conditions`;
    }
    return args.length >= 2 ? null : `The minimum number of condition arguments to "${name}" is 2.`;
  };

/** Like Heat, resolves all conditions. It asks no further once one has decided. */
const and: TemplateFunction = {
  name: "and",
  description: "Whether all conditions are true.",
  refuse: refuseConditions("and"),
  evaluate: (args, { resolve, isEnabled }) =>
    isJsonArray(args) && args.map(resolve).every(isEnabled),
};

const or: TemplateFunction = {
  name: "or",
  description: "Whether one of the conditions is true.",
  refuse: refuseConditions("or"),
  evaluate: (args, { resolve, isEnabled }) =>
    isJsonArray(args) && args.map(resolve).some(isEnabled),
};

export const CONDITION_FUNCTIONS: readonly TemplateFunction[] = [equals, not, and, or];
