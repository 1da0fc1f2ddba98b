/** if: one of two values, by a condition. It is a macro, so the other value has no effect. */
import type { Json } from "#lib/json.ts";
import { isJsonArray } from "../json-shape.ts";
import { ANY, argument, CONDITION, NOTHING, optional, row, takesWritten } from "./arguments.ts";
import type { TemplateFunction } from "./function.ts";

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

export const choose = choosing("if", ARGUMENTS_MAX);
export const cfnChoose = choosing("Fn::If", ARGUMENTS_MAX);
/** Since 2021-04-16. Without a second value, a false condition removes what encloses the call. */
export const chooseOrRemove = choosing("if", ARGUMENTS_MAX - 1);

export const isRemoved = ({ choose: macro }: TemplateFunction, chosen: Json): boolean =>
  macro !== undefined && isJsonArray(chosen) && chosen.length === 0;
