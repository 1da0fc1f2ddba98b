/** What yaql has and Hearth has not. Validation refuses it, so that no value is ever wrong. */
import { YaqlError } from "./errors.ts";
import { Constant, type Expression, FunctionCall, visitExpression } from "./syntax.ts";

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
export const checkSupported = (source: string, expression: Expression): void => {
  const defined = definedIn(expression);
  visitExpression(expression, (part) => {
    if (!(part instanceof FunctionCall)) return;
    const { callee } = part;
    if (part.isWritten && DATE_FUNCTIONS.has(callee) && !defined.has(callee)) {
      throw refusal(source, part, `The function "${callee}" of yaql is not supported yet`);
    }
  });
};
