import {
  type Call,
  Context,
  type Definition,
  defineFunction,
  defineMethod,
} from "../definition.ts";
import { dictionaryOf } from "../equality.ts";
import { typeError, valueError, YaqlError } from "../errors.ts";
import {
  anything,
  flag,
  integer,
  lambdaIn,
  nullable,
  optional,
  regex,
  text,
} from "../parameters.ts";
import {
  compileRegex,
  expandTemplate,
  type Group,
  type Match,
  matchesOf,
  replaceByRegex,
  splitByRegex,
} from "../patterns.ts";
import { charactersOf, Regex, Sequence, typeOf, type Value } from "../values.ts";

const PATTERN = text("pattern");
const IGNORE_CASE = optional(nullable(flag("ignoreCase")));
const MULTI_LINE = optional(nullable(flag("multiLine")));
const DOT_ALL = optional(nullable(flag("dotAll")));
const REGEX = regex("regexp");
const STRING = text("string");
const REGEX_TEXT = text("regexp");
const SELECTOR = optional(lambdaIn("selector"));
const SPLITS = optional(integer("maxSplit"));
const REPLACEMENT = text("repl");
const REPLACEMENT_EXPRESSION = lambdaIn("repl");
const COUNT = optional(integer("count"));
const VALUE = anything("value");

const first = (call: Call, pattern: Regex, whole: string): Match | null => {
  for (const match of matchesOf(pattern, whole, call.engine.spend)) return match;
  return null;
};

const recordOf = ({ value, start, end }: Group): Value =>
  dictionaryOf(
    [
      ["value", value],
      ["start", BigInt(start)],
      ["end", BigInt(end)],
    ],
    false,
  );

/** yaql 3 fails for every named group: it unpacks the group's value into a name and a value. */
const refuseNames = ({ groups, names }: Match): void => {
  for (const number of names.values()) {
    const value = groups[number - 1]?.value ?? null;
    if (value === null) throw typeError("cannot unpack non-iterable NoneType object");
    const { length } = charactersOf(value);
    if (length > 2) throw valueError("too many values to unpack (expected 2)");
    if (length < 2) throw valueError(`not enough values to unpack (expected 2, got ${length})`);
    throw new YaqlError("index", "no such group");
  }
};

const publish = (context: Context, match: Match): void => {
  context.set("1", recordOf(match.whole));
  match.groups.forEach((group, index) => {
    context.set(String(index + 2), recordOf(group));
  });
  refuseNames(match);
};

const selected = (call: Call, match: Match): Value => {
  const selector = call.get(SELECTOR);
  if (selector === undefined) return match.whole.value;
  const context = new Context(call.context);
  publish(context, match);
  return selector(context);
};

const has = (call: Call, pattern: Regex): boolean =>
  first(call, pattern, call.get(STRING)) !== null;

const split = (call: Call): Sequence => {
  const most = Number(call.get(SPLITS) ?? 0n);
  const parts = splitByRegex(call.get(REGEX), call.get(STRING), most, call.engine.spend);
  return new Sequence(parts, "list");
};

const replacing = (call: Call, replacement: (match: Match) => string): string => {
  const most = Number(call.get(COUNT) ?? 0n);
  const { spend } = call.engine;
  return replaceByRegex(call.get(REGEX), call.get(STRING), most, spend, (match) => {
    const text = replacement(match);
    spend(text.length);
    return text;
  });
};

const replace = (call: Call): string => {
  const template = call.get(REPLACEMENT);
  return replacing(call, (match) => expandTemplate(template, match));
};

const replaceBy = (call: Call): string => {
  const expression = call.get(REPLACEMENT_EXPRESSION);
  return replacing(call, (match) => {
    publish(call.context, match);
    const text = expression(new Context(call.context));
    if (typeof text === "string") return text;
    throw typeError(`expected str instance, ${typeOf(text)} found`);
  });
};

const SPECIAL = /[()[\]{}?*+\-|^$\\.&~# \t\n\r\v\f]/g;

const matching = (sign: string, isWanted: boolean): readonly Definition[] => [
  defineFunction(
    `#operator_${sign}`,
    [STRING, REGEX],
    (call) => has(call, call.get(REGEX)) === isWanted,
  ),
  defineFunction(
    `#operator_${sign}`,
    [STRING, PATTERN],
    (call) => has(call, compileRegex(call.engine, call.get(PATTERN))) === isWanted,
  ),
];

export const REGEXES: readonly Definition[] = [
  defineFunction("regex", [PATTERN, IGNORE_CASE, MULTI_LINE, DOT_ALL], (call) =>
    compileRegex(call.engine, call.get(PATTERN), {
      ignoreCase: call.get(IGNORE_CASE) ?? false,
      multiLine: call.get(MULTI_LINE) ?? false,
      dotAll: call.get(DOT_ALL) ?? false,
    }),
  ),
  defineMethod("matches", [REGEX, STRING], (call) => has(call, call.get(REGEX))),
  defineMethod("matches", [STRING, REGEX_TEXT], (call) =>
    has(call, compileRegex(call.engine, call.get(REGEX_TEXT))),
  ),
  ...matching("=~", true),
  ...matching("!~", false),
  defineMethod("search", [REGEX, STRING, SELECTOR], (call) => {
    const match = first(call, call.get(REGEX), call.get(STRING));
    return match === null ? null : selected(call, match);
  }),
  defineMethod("searchAll", [REGEX, STRING, SELECTOR], (call) => {
    const matches = matchesOf(call.get(REGEX), call.get(STRING), call.engine.spend);
    function* found(): Generator<Value> {
      for (const match of matches) yield selected(call, match);
    }
    return found();
  }),
  defineMethod("split", [REGEX, STRING, SPLITS], split),
  defineMethod("split", [STRING, REGEX, SPLITS], split),
  defineMethod("replace", [REGEX, STRING, REPLACEMENT, COUNT], replace),
  defineMethod("replace", [STRING, REGEX, REPLACEMENT, COUNT], replace),
  defineMethod("replaceBy", [REGEX, STRING, REPLACEMENT_EXPRESSION, COUNT], replaceBy),
  defineMethod("replaceBy", [STRING, REGEX, REPLACEMENT_EXPRESSION, COUNT], replaceBy),
  defineFunction("escapeRegex", [STRING], (call) =>
    call.get(STRING).replace(SPECIAL, (character) => `\\${character}`),
  ),
  defineFunction("isRegex", [VALUE], (call) => call.get(VALUE) instanceof Regex),
];
