/** Functions that exist only in conditions. Elsewhere these words are plain keys. */
import type { Json } from "#lib/json.ts";
import { isJsonArray } from "../json-shape.ts";
import { equalityText } from "../python-values.ts";
import { refToParameter } from "./cloudformation.ts";
import {
  ANY,
  argument,
  atLeast,
  CONDITION,
  NOTHING,
  optional,
  row,
  type TemplateFunction,
  takes,
  takesWritten,
} from "./function.ts";

const equals = (name: string): TemplateFunction => ({
  name,
  description: "Whether two values are equal.",
  takes: takesWritten(row(argument("left", "a value", ANY), argument("right", "a value", ANY))),
  refuse: (args) =>
    isJsonArray(args) && args.length === 2
      ? null
      : `Arguments to "${name}" must be of the form: [value_1, value_2]`,
  evaluate: (args, { resolve }) => {
    const [left = null, right = null] = isJsonArray(args) ? args.map(resolve) : [];
    return equalityText(left) === equalityText(right);
  },
});

const not: TemplateFunction = {
  name: "not",
  description: "Whether a condition is false.",
  takes: takes(CONDITION),
  refuse: (args) => (args === null ? 'Argument to "not" must be a condition' : null),
  evaluate: (args, { resolve, isEnabled }) => !isEnabled(resolve(args)),
};

const onlyItem = (args: Json): readonly Json[] =>
  isJsonArray(args) && args.length === 1 ? args : [];

const cfnNot: TemplateFunction = {
  name: "Fn::Not",
  description: "Whether a condition is false.",
  takes: takesWritten(row(argument("condition", "what is false", CONDITION, NOTHING))),
  refuse: (args) =>
    onlyItem(args).length === 1 ? null : 'Arguments to "Fn::Not" must be of the form: [condition]',
  evaluate: (args, { resolve, isEnabled }) => {
    const [condition = null] = onlyItem(args);
    return !isEnabled(resolve(condition));
  },
};

const CONDITIONS_MIN = 2;
const CONDITIONS = takesWritten(atLeast(CONDITIONS_MIN, CONDITION, NOTHING));

const refuseConditions =
  (name: string): TemplateFunction["refuse"] =>
  (args, isCall) => {
    if (!isJsonArray(args) || isCall(args)) {
      return `Arguments to "${name}" must be a list of conditions`;
    }
    if (args.length >= CONDITIONS_MIN) return null;
    return `The minimum number of condition arguments to "${name}" is ${CONDITIONS_MIN}.`;
  };

const and = (name: string): TemplateFunction => ({
  name,
  description: "Whether all conditions are true.",
  takes: CONDITIONS,
  refuse: refuseConditions(name),
  evaluate: (args, { resolve, isEnabled }) =>
    isJsonArray(args) && args.map(resolve).every(isEnabled),
});

const or = (name: string): TemplateFunction => ({
  name,
  description: "Whether one of the conditions is true.",
  takes: CONDITIONS,
  refuse: refuseConditions(name),
  evaluate: (args, { resolve, isEnabled }) =>
    isJsonArray(args) && args.map(resolve).some(isEnabled),
});

export const CONDITION_FUNCTIONS: readonly TemplateFunction[] = [
  equals("equals"),
  not,
  and("and"),
  or("or"),
];
/** The format's other functions are added in table.ts. Ref accepts only parameters here. */
export const CFN_CONDITION_FUNCTIONS: readonly TemplateFunction[] = [
  equals("Fn::Equals"),
  cfnNot,
  and("Fn::And"),
  or("Fn::Or"),
  refToParameter,
];

const usage = (name: string): string =>
  `Arguments to "${name}" must be of the form: [condition_name, value_if_true, value_if_false]`;

const ARGUMENTS_MAX = 3;
const WHEN_FALSE = argument("whenFalse", "the value if it is false", ANY);

const choosing = (name: string, argumentsMin: number): TemplateFunction => ({
  name,
  description: "One of two values, by a condition.",
  takes: takesWritten(
    row(
      argument("condition", "what decides", CONDITION, NOTHING),
      argument("whenTrue", "the value if the condition is true", ANY),
      argumentsMin < ARGUMENTS_MAX ? optional(WHEN_FALSE) : WHEN_FALSE,
    ),
  ),
  refuse: (args) => {
    const count = isJsonArray(args) ? args.length : 0;
    return count < argumentsMin || count > ARGUMENTS_MAX ? usage(name) : null;
  },
  choose: (args, isEnabled) => {
    const [condition = null, whenTrue = null, ...whenFalse] = isJsonArray(args) ? args : [];
    return isEnabled(condition) ? [whenTrue] : whenFalse;
  },
  evaluate: (chosen, { resolve }) => {
    const [value = null] = isJsonArray(chosen) ? chosen : [];
    return resolve(value);
  },
});

/** if: one of two values, by a condition. It is a macro, so the other value has no effect. */
export const choose = choosing("if", ARGUMENTS_MAX);
export const cfnChoose = choosing("Fn::If", ARGUMENTS_MAX);
/** Since 2021-04-16. Without a second value, a false condition removes what encloses the call. */
export const chooseOrRemove = choosing("if", ARGUMENTS_MAX - 1);

export const isRemoved = ({ choose: macro }: TemplateFunction, chosen: Json): boolean =>
  macro !== undefined && isJsonArray(chosen) && chosen.length === 0;
