/** yaql: an expression in, a value of JSON out. */
import type { Json } from "#lib/json.ts";
import { Context } from "./context.ts";
import type { Limits } from "./engine.ts";
import { YaqlError } from "./errors.ts";
import { engineOf } from "./evaluate.ts";
import { jsonOf, valueOfJson } from "./json-values.ts";
import { LIBRARY } from "./library/library.ts";
import { parseExpression } from "./parser.ts";
import { ABSENT, type Expression } from "./syntax.ts";
import { checkSupported } from "./unsupported.ts";

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
