/** yaql: evaluates an expression on JSON data, and returns JSON. */
import type { Json } from "#lib/json.ts";
import { Context } from "./context.ts";
import type { Limits } from "./engine.ts";
import { YaqlError } from "./errors.ts";
import { engineOf } from "./evaluate.ts";
import { jsonOf, valueOfJson } from "./json-values.ts";
import { LIBRARY } from "./library/library.ts";
import { parseExpression } from "./parser.ts";
import { ABSENT, Constant, type Expression, FunctionCall, visitExpression } from "./syntax.ts";

// Validation refuses what yaql supports and Hearth does not, so that no value is ever wrong.

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

export const parse = (source: string): Expression => {
  const expression = parseExpression(source);
  checkSupported(source, expression);
  return expression;
};

/** `$` is the data. Throws YaqlError with the text of yaql or Python. */
export const evaluate = (expression: Expression, data: Json, limits: Limits): Json => {
  const context = new Context(LIBRARY);
  context.set("$", valueOfJson(data));
  const engine = engineOf(limits);
  try {
    return jsonOf(limits, engine.evaluate(expression, ABSENT, context));
  } catch (failure) {
    // JavaScript's stack overflowed, or a text became too long.
    if (failure instanceof RangeError) throw new YaqlError("limit", "Expression is too large");
    throw failure;
  }
};
