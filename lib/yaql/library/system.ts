import {
  type Call,
  Context,
  type Definition,
  defineFunction,
  defineMethod,
} from "../definition.ts";
import { typeError, valueError, YaqlError } from "../errors.ts";
import {
  anything,
  contextValue,
  dictionary,
  expression,
  keyword,
  lambda,
  lambdaIn,
  lambdaOfNames,
  many,
  methodCall,
  named,
  optional,
  rest,
  sequence,
  text,
} from "../parameters.ts";
import { isIterator, isTrue, iterate, Recording, type Value } from "../values.ts";

const RECEIVER = anything("receiver");
const METHOD = methodCall("expr");
const EXPRESSION = expression("expr");
const SEQUENCE = many("sequence");
const NAMES = rest(text("args"));
const VALUES = rest(anything("args"));
const NAMED = named(anything("kwargs"));
const NAME = text("name");
const BODY = lambdaOfNames("func");
const LEFT = contextValue("left");
const RIGHT = lambdaIn("right");
const OBJECT = anything("obj");
const CONDITION = lambda("condition");
const MESSAGE = optional(text("message"));
const MEMBER = keyword("name");
const LIST = sequence("args");
const OPTIONS = dictionary("kwargs");
const ON = optional(anything("receiver"));

/** The members of dates and timespans. No value is one here, so using a member fails. */
const DATE_MEMBERS: ReadonlySet<string> = new Set(
  "year month day hour minute second microsecond weekday offset timestamp date time utc days hours minutes seconds milliseconds microseconds".split(
    " ",
  ),
);

const noMember = (name: string): YaqlError =>
  DATE_MEMBERS.has(name)
    ? new YaqlError("no_match", `No function "#property#${name}" matches supplied arguments`)
    : new YaqlError("unknown", `Unknown function "#property#${name}"`);

const unpack = (call: Call): Context => {
  const names = call.rest(NAMES);
  const values = call.get(SEQUENCE);
  const first: Value[] = [];
  for (const value of iterate(values)) {
    first.push(value);
    if (first.length > names.length) break;
  }
  if (names.length > 0 && names.length !== first.length) {
    throw valueError(`Cannot unpack ${first.length} elements into ${names.length}`);
  }
  names.forEach((name, index) => {
    call.context.set(name, first[index] ?? null);
  });
  if (names.length > 0) return call.context;
  let place = 0;
  for (const value of iterate(values)) {
    place += 1;
    call.context.set(String(place), value);
  }
  return call.context;
};

const setAll = (context: Context, values: readonly Value[]): Context => {
  values.forEach((value, index) => {
    context.set(String(index + 1), value);
  });
  return context;
};

const camelCase = (name: string): string =>
  name
    .replace(/(?<!_)_+$/, "")
    .replace(/(?!^)_([\p{L}\p{N}_])/gu, (_, letter: string) => letter.toUpperCase());

const callByName = (call: Call): Value => {
  const options = [...call.get(OPTIONS).entries.values()].map(([key, value]) => {
    if (typeof key === "string") return [key, value] as const;
    throw typeError("keywords must be strings");
  });
  const receiver = call.get(ON);
  return call.engine.call(call.get(NAME), new Context(call.context), call.get(LIST).items, {
    named: new Map(options),
    ...(receiver === undefined ? {} : { receiver }),
  });
};

export const SYSTEM: readonly Definition[] = [
  defineFunction("#operator_.", [RECEIVER, METHOD], (call) => call.get(METHOD)(call.get(RECEIVER))),
  defineFunction("#operator_?.", [RECEIVER, EXPRESSION], (call) => {
    const receiver = call.get(RECEIVER);
    return receiver === null ? null : call.call("#operator_.", receiver, call.get(EXPRESSION));
  }),
  defineMethod("unpack", [SEQUENCE, NAMES], unpack),
  defineFunction("with", [VALUES], (call) => setAll(call.context, call.rest(VALUES))),
  defineFunction("let", [VALUES, NAMED], (call) => {
    const context = setAll(call.context, call.rest(VALUES));
    for (const [name, value] of call.named(NAMED)) context.set(name, value);
    return context;
  }),
  defineFunction("def", [NAME, BODY], (call) => {
    const body = call.get(BODY);
    call.context.register(
      defineFunction(camelCase(call.get(NAME)), [VALUES, NAMED], (inner) =>
        body(inner.rest(VALUES), inner.named(NAMED)),
      ),
    );
    return call.context;
  }),
  defineFunction("#operator_->", [LEFT, RIGHT], (call) => call.get(RIGHT)(call.get(LEFT))),
  defineMethod("assert", [OBJECT, CONDITION, MESSAGE], (call) => {
    const given = call.get(OBJECT);
    const object = isIterator(given) ? new Recording(iterate(given)[Symbol.iterator]()) : given;
    if (isTrue(call.get(CONDITION)(object))) return object;
    throw new YaqlError("assertion", call.get(MESSAGE) ?? "Assertion failed");
  }),
  defineFunction("call", [NAME, LIST, OPTIONS, ON], callByName),
];

export const FALLBACKS: readonly Definition[] = [
  defineFunction("#operator_.", [OBJECT, MEMBER], (call) => {
    throw noMember(call.get(MEMBER).value);
  }),
];
