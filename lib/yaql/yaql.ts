/** yaql: evaluates an expression on JSON data, and returns JSON. */
import {
  floatOf,
  integerOf,
  isInteger,
  isJsonNumber,
  type Json,
  magnitudeOf,
  mapOf,
} from "#lib/json.ts";
import { Context, defineMethod } from "./definition.ts";
import { type Argument, type Engine, type Limits, limitMemory, membersOf } from "./engine.ts";
import { dictionaryOf } from "./equality.ts";
import { YaqlError } from "./errors.ts";
import { AGGREGATION } from "./library/aggregation.ts";
import { BRANCHING, COMPARISON } from "./library/conditions.ts";
import { DICTIONARIES } from "./library/dictionaries.ts";
import { FILTERING } from "./library/filtering.ts";
import { GENERATING } from "./library/generating.ts";
import { GROUPING } from "./library/grouping.ts";
import { LISTS } from "./library/lists.ts";
import { MATH } from "./library/math.ts";
import { REGEXES } from "./library/regexes.ts";
import { SETS } from "./library/sets.ts";
import { STRINGS } from "./library/strings.ts";
import { FALLBACKS, SYSTEM } from "./library/system.ts";
import { type Invocation, invoke } from "./overloads.ts";
import { nothing, text } from "./parameters.ts";
import { parseExpression } from "./parser.ts";
import {
  ABSENT,
  Constant,
  type Expression,
  FunctionCall,
  Keyword,
  Parenthesized,
  Rule,
  Variable,
  visitExpression,
} from "./syntax.ts";
import {
  Dictionary,
  isMany,
  isSet,
  Pair,
  pythonText,
  Sequence,
  typeOf,
  type Value,
} from "./values.ts";

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

const checkSupported = (source: string, expression: Expression): void => {
  const defined = definedIn(expression);
  visitExpression(expression, (part) => {
    if (!(part instanceof FunctionCall)) return;
    const { callee, position } = part;
    if (!part.isWritten || !DATE_FUNCTIONS.has(callee) || defined.has(callee)) return;
    const what = `The function "${callee}" of yaql is not supported yet`;
    const where = `at position ${position} of expression '${source}'`;
    throw new YaqlError("unsupported", `${what} ${where}`);
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

/**
 * Python's own limit is about 140 calls, since its stack has 1,000 frames.
 * @limit calls in calls of an expression of `yaql`
 * @beyond the function has an error
 */
const CALLS_DEEP_MAX = 200;

const NO_NAMES: ReadonlyMap<string, Argument> = new Map();

export const engineOf = (limits: Limits): Engine => {
  let deep = 0;
  const invokeDeeper = (invocation: Invocation): Value => {
    deep += 1;
    if (deep > CALLS_DEEP_MAX) throw new YaqlError("limit", "maximum recursion depth exceeded");
    try {
      return invoke(invocation);
    } finally {
      deep -= 1;
    }
  };
  const engine: Engine = {
    ...limits,
    regexes: new Map(),
    evaluate: (expression, receiver, context) => {
      if (expression instanceof Constant || expression instanceof Keyword) return expression.value;
      if (expression instanceof Variable) {
        const value = context.get(expression.variable);
        limitMemory(limits, value);
        return value;
      }
      if (expression instanceof Parenthesized) {
        return engine.evaluate(expression.inner, receiver, context);
      }
      if (expression instanceof Rule) {
        const source = engine.evaluate(expression.source, receiver, context);
        return new Pair(source, engine.evaluate(expression.destination, receiver, context));
      }
      const { callee: name, args } = expression;
      return invokeDeeper({ engine, name, context, receiver, args, named: NO_NAMES });
    },
    call: (name, context, args, { receiver = ABSENT, named = NO_NAMES } = {}) =>
      invokeDeeper({ engine, name, context, receiver, args, named }),
  };
  return engine;
};

const valueOfJson = (json: Json): Value => {
  if (json === null || typeof json === "boolean" || typeof json === "string") return json;
  if (isJsonNumber(json)) {
    const magnitude = magnitudeOf(json);
    return isInteger(json) ? BigInt(magnitude) : Number(magnitude);
  }
  if (Array.isArray(json)) return new Sequence(json.map(valueOfJson));
  return dictionaryOf(Object.entries(json).map(([key, item]) => [key, valueOfJson(item)] as const));
};

const DEEP_MAX = 200;

const noJson = (value: Value): YaqlError =>
  new YaqlError(
    "unsupported",
    `The result of the expression has a ${typeOf(value)}, which is no JSON`,
  );

const numberOf = (value: bigint | number): Json => {
  const json = typeof value === "bigint" ? integerOf(value) : floatOf(value);
  if (json !== null) return json;
  throw new YaqlError("unsupported", "The result of the expression has a number that is no JSON");
};

/** A tuple can be a key, but Heat turns it into a list, which cannot. */
const keyOf = (limits: Limits, key: Value, deep: number): string => {
  if (typeof key !== "object" || key === null) return keyText(jsonOf(limits, key, deep));
  if (!limits.setsMayHoldLists) checkHash(key);
  return pythonText(key);
};

const keyText = (key: Json): string => {
  if (key === null) return "null";
  return typeof key === "string" || typeof key === "boolean" || isJsonNumber(key)
    ? String(key)
    : JSON.stringify(key);
};

/** Heat turns tuples and frozen dictionaries into types that a Python set must not contain. */
const checkHash = (member: Value): void => {
  if (isMany(member) && !isSet(member)) throw new YaqlError("type", "unhashable type: 'list'");
  if (isSet(member)) throw new YaqlError("type", "unhashable type: 'set'");
  if (member instanceof Dictionary) throw new YaqlError("type", "unhashable type: 'dict'");
};

/** Reads lazy values. A set becomes a list in the order in which its items were added. */
const jsonOf = (limits: Limits, value: Value, deep = 0): Json => {
  if (deep > DEEP_MAX) throw new YaqlError("limit", "maximum recursion depth exceeded");
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "bigint" || typeof value === "number") return numberOf(value);
  const members = membersOf(limits, value);
  if (members === null) throw noJson(value);
  if (value instanceof Dictionary) {
    const entries: [string, Json][] = [];
    for (const [key, item] of value.entries.values()) {
      const json = jsonOf(limits, item, deep + 1);
      entries.push([keyOf(limits, key, deep + 1), json]);
    }
    return mapOf(entries);
  }
  const items: Json[] = [];
  for (const member of members) {
    if (isSet(value) && !limits.setsMayHoldLists) checkHash(member);
    items.push(jsonOf(limits, member, deep + 1));
  }
  return items;
};

/** No value is a date, but yaql's text for another one says that the method exists. */
const DATES = [defineMethod("format", [nothing("dt"), text("format__")], () => null)];

/** yaql's standard library except for date and time. */
const FAMILIES = [SYSTEM, COMPARISON, BRANCHING, STRINGS, MATH, LISTS, DICTIONARIES, SETS]
  .concat([FILTERING, AGGREGATION, GENERATING, GROUPING, REGEXES, DATES])
  .flat();

const contextOf = (parent: Context | null, definitions: typeof FAMILIES): Context => {
  const context = new Context(parent);
  for (const definition of definitions) context.register(definition);
  return context;
};

export const LIBRARY: Context = contextOf(contextOf(null, [...FALLBACKS]), FAMILIES);
