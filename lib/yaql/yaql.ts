/** yaql: an expression in, a value of JSON out. */
import type { Json } from "#lib/json.ts";
import { Context } from "./context.ts";
import type { Limits } from "./engine.ts";
import { YaqlError } from "./errors.ts";
import { engineOf } from "./evaluate.ts";
import { jsonOf, valueOfJson } from "./json-values.ts";
import { LIBRARY } from "./library/library.ts";
import { parseExpression } from "./parser.ts";
import { ABSENT, Constant, type Expression, FunctionCall, visitExpression } from "./syntax.ts";

// What yaql has and Hearth has not. Validation refuses it, so that no value is ever wrong.

/** Functions of date and time. A result with one is no JSON, unless it is taken apart. */
const DATE_FUNCTIONS: ReadonlySet<string> = new Set([
  "now",
  "datetime",
  "timespan",
  "localtz",
  "utctz",
  "isDatetime",
  "isTimespan",
]);

const definedIn = (expression: Expression): ReadonlySet<string> => {
  const names = new Set<string>();
  visitExpression(expression, (part) => {
    if (!(part instanceof FunctionCall) || part.callee !== "def") return;
    const [name] = part.args;
    if (name instanceof Constant && typeof name.value === "string") names.add(name.value);
    else if (name !== undefined && "value" in name) names.add(String(name.value));
  });
  return names;
};

const refusal = (source: string, { position }: Expression, what: string): YaqlError =>
  new YaqlError("unsupported", `${what} at position ${position} of expression '${source}'`);

/** Throws YaqlError with the position of the first part that is not supported. */
const checkSupported = (source: string, expression: Expression): void => {
  const defined = definedIn(expression);
  visitExpression(expression, (part) => {
    if (!(part instanceof FunctionCall)) return;
    const { callee } = part;
    if (part.isWritten && DATE_FUNCTIONS.has(callee) && !defined.has(callee)) {
      throw refusal(source, part, `The function "${callee}" of yaql is not supported yet`);
    }
  });
};

/** Throws YaqlError: its syntax is wrong, or it has a part that is not supported. */
export const parse = (source: string): Expression => {
  const expression = parseExpression(source);
  checkSupported(source, expression);
  return expression;
};

/** `$` is the data. Throws YaqlError with the text that yaql or Python would show. */
export const evaluate = (expression: Expression, data: Json, limits: Limits): Json => {
  const context = new Context(LIBRARY);
  context.set("$", valueOfJson(data));
  const engine = engineOf(limits);
  try {
    return jsonOf(limits, engine.evaluate(expression, ABSENT, context));
  } catch (failure) {
    // JavaScript's own stack or the length of a text ran out.
    if (failure instanceof RangeError) throw new YaqlError("limit", "Expression is too large");
    throw failure;
  }
};
