import { isSpace } from "#lib/python/read-text.ts";
import {
  type Call,
  type Definition,
  defineBoth,
  defineFunction,
  defineMethod,
  type Parameter,
} from "../definition.ts";
import { bytesOf, limitBytes } from "../engine.ts";
import { typeError, valueError, YaqlError } from "../errors.ts";
import {
  anything,
  dictionary,
  flag,
  integer,
  many,
  nullable,
  optional,
  rest,
  text,
} from "../parameters.ts";
import { charactersOf, iterate, type Many, pythonText, Sequence, type Value } from "../values.ts";

const STRING = text("string");
const NULLABLE_STRING = nullable(text("string"));
const TEXTS = rest(text("args"));
const SEPARATOR = text("separator");
const OPTIONAL_SEPARATOR = optional(nullable(text("separator")));
const SPLITS = optional(integer("maxSplits"));
const SEQUENCE = many("sequence");
const VALUE = anything("value");
const CHARS = optional(nullable(text("chars")));
const TRIM = optional(flag("trim"));
const OLD = text("old");
const NEW = text("new");
const COUNT = optional(integer("count"));
const REPLACEMENTS = dictionary("replacements");
const LEFT = text("left");
const RIGHT = text("right");
const LEFT_TIMES = integer("left");
const RIGHT_TIMES = integer("right");
const START = integer("start");
const OPTIONAL_START = optional(integer("start"));
const LENGTH = integer("length");
const OPTIONAL_LENGTH = optional(integer("length"));
const SUB = text("sub");
const PREFIXES = rest(text("prefixes"));
const SUFFIXES = rest(text("suffixes"));
const ANYTHING = anything("arg");

export const shownText = (value: Value): string =>
  value === null || typeof value === "boolean" ? String(value) : pythonText(value);

const stripped = (
  whole: string,
  chars: string | null | undefined,
  sides: { readonly left: boolean; readonly right: boolean },
): string => {
  const set = typeof chars === "string" ? new Set(charactersOf(chars)) : null;
  const isGone = (character: string | undefined): boolean =>
    character !== undefined && (set === null ? isSpace(character) : set.has(character));
  const characters = charactersOf(whole);
  let from = 0;
  let to = characters.length;
  while (sides.left && from < to && isGone(characters[from])) from += 1;
  while (sides.right && to > from && isGone(characters[to - 1])) to -= 1;
  return characters.slice(from, to).join("");
};

const BOTH_SIDES = { left: true, right: true };

const splitAtSpaces = (whole: string, most: number): readonly string[] => {
  const parts: string[] = [];
  let rest = stripped(whole, null, { left: true, right: false });
  while (rest !== "" && parts.length < most) {
    const at = Array.from(rest).findIndex(isSpace);
    if (at < 0) break;
    const characters = charactersOf(rest);
    parts.push(characters.slice(0, at).join(""));
    rest = stripped(characters.slice(at).join(""), null, { left: true, right: false });
  }
  if (rest === "") return parts;
  const isCut = parts.length >= most;
  return [...parts, isCut ? rest : stripped(rest, null, BOTH_SIDES)];
};

const reversed = (whole: string): string => charactersOf(whole).toReversed().join("");

const splitText = (call: Call, fromRight: boolean): Sequence => {
  const whole = call.get(STRING);
  const separator = call.get(OPTIONAL_SEPARATOR) ?? null;
  const limit = call.get(SPLITS) ?? -1n;
  const most = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  if (separator === "") throw valueError("empty separator");
  if (separator === null) {
    const parts = fromRight
      ? splitAtSpaces(reversed(whole), most).map(reversed).toReversed()
      : splitAtSpaces(whole, most);
    return new Sequence(parts, "list");
  }
  const parts = whole.split(separator);
  if (parts.length - 1 <= most) return new Sequence(parts, "list");
  const cut = fromRight ? parts.length - most : most;
  const joined = fromRight
    ? [parts.slice(0, cut).join(separator), ...parts.slice(cut)]
    : [...parts.slice(0, cut), parts.slice(cut).join(separator)];
  return new Sequence(joined, "list");
};

const joined = (call: Call, separator: string, items: Many): string => {
  const texts: string[] = [];
  for (const item of iterate(items)) {
    const shown = call.call("str", item);
    if (typeof shown !== "string") throw typeError("sequence item: expected str instance");
    texts.push(shown);
  }
  return texts.join(separator);
};

/** Python's replace(). An empty text occurs around each character. */
const replaced = (whole: string, old: string, by: string, count: bigint): string => {
  const limit = count < 0n ? Number.POSITIVE_INFINITY : Number(count);
  const parts = old === "" ? ["", ...charactersOf(whole), ""] : whole.split(old);
  const cut = Math.min(limit, parts.length - 1);
  const separators = parts.slice(1).map((part, at) => (at < cut ? by : old) + part);
  return (parts[0] ?? "") + separators.join("");
};

const limitReplaced = (call: Call, whole: string, old: string, by: string): void => {
  call.engine.spend(whole.length);
  const times = old === "" ? whole.length + 1 : whole.length / old.length;
  limitBytes({ memoryBytesMax: REPLACED_CHARACTERS_MAX }, [times, by.length]);
};

/** Limits what is built here, before the memory quota refuses the result. */
const REPLACED_CHARACTERS_MAX = 1_000_000;

const repeated = (call: Call, whole: string, times: bigint): string => {
  const count = Number(times);
  limitBytes(call.engine, [1 - count, bytesOf("")], [count, bytesOf(whole)]);
  limitBytes(call.engine, [1, Math.max(count, 0) * whole.length]);
  return whole.repeat(Math.max(count, 0));
};

const substring = (call: Call): string => {
  const characters = charactersOf(call.get(STRING));
  const given = call.get(OPTIONAL_LENGTH) ?? -1n;
  const length = given < 0n ? characters.length : Number(given);
  const start = Number(call.get(START));
  const from = start < 0 ? start + characters.length : start;
  return characters.slice(from, from + length).join("");
};

const find = (
  whole: string,
  sub: string,
  range: readonly [number, number],
  takesLast: boolean,
): bigint => {
  const characters = charactersOf(whole);
  const { length } = characters;
  const bounded = (at: number): number => (at < 0 ? Math.max(at + length, 0) : at);
  const from = bounded(range[0]);
  const to = Math.min(bounded(range[1]), length);
  if (from > length || from > to) return -1n;
  const part = characters.slice(from, to).join("");
  const at = takesLast ? part.lastIndexOf(sub) : part.indexOf(sub);
  return at < 0 ? -1n : BigInt(from + charactersOf(part.slice(0, at)).length);
};

const finding = (name: string, takesLast: boolean): readonly Definition[] => [
  defineMethod(name, [STRING, SUB, OPTIONAL_START], (call) => {
    const range = [Number(call.get(OPTIONAL_START) ?? 0n), Number.POSITIVE_INFINITY] as const;
    return find(call.get(STRING), call.get(SUB), range, takesLast);
  }),
  defineMethod(name, [STRING, SUB, START, LENGTH], (call) => {
    const { length } = charactersOf(call.get(STRING));
    const start = Number(call.get(START));
    const from = start < 0 ? start + length : start;
    const given = Number(call.get(LENGTH));
    const to = from + (given < 0 ? length - from : given);
    return find(call.get(STRING), call.get(SUB), [from, to], takesLast);
  }),
];

const ASCII_LOWERCASE = "abcdefghijklmnopqrstuvwxyz";
const ASCII_UPPERCASE = ASCII_LOWERCASE.toUpperCase();
const DIGITS = "0123456789";
const PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
const WHITESPACE = " \t\n\r\v\f";

/** In the order of yaql's parameters. Null if Python 3 lacks the class, so that using it fails. */
const CLASSES: ReadonlyMap<string, string | null> = new Map([
  ["digits", DIGITS],
  ["hexdigits", `${DIGITS}abcdefABCDEF`],
  ["asciiLowercase", ASCII_LOWERCASE],
  ["asciiUppercase", ASCII_UPPERCASE],
  ["asciiLetters", ASCII_LOWERCASE + ASCII_UPPERCASE],
  ["letters", null],
  ["octdigits", "01234567"],
  ["punctuation", PUNCTUATION],
  ["printable", DIGITS + ASCII_LOWERCASE + ASCII_UPPERCASE + PUNCTUATION + WHITESPACE],
  ["lowercase", null],
  ["uppercase", null],
  ["whitespace", WHITESPACE],
]);
const CLASS_FLAGS: readonly Parameter<boolean | null | undefined>[] = [...CLASSES.keys()].map(
  (name) => optional(nullable(flag(name))),
);

const characters = (call: Call): Sequence => {
  const wanted = CLASS_FLAGS.filter((parameter) => call.get(parameter) === true);
  const all = wanted.map(({ name }) => {
    const members = CLASSES.get(name) ?? null;
    if (members !== null) return members;
    throw new YaqlError("type", `module 'string' has no attribute '${name}'`);
  });
  return new Sequence([...new Set(charactersOf(all.join("")))]);
};

const trimming = (name: string, sides: { readonly left: boolean; readonly right: boolean }) =>
  defineMethod(name, [STRING, CHARS], (call) => stripped(call.get(STRING), call.get(CHARS), sides));

const concatenating = (name: string): Definition =>
  defineFunction(name, [TEXTS], (call) => call.rest(TEXTS).join(""));

export const STRINGS: readonly Definition[] = [
  concatenating("concat"),
  concatenating("#operator_+"),
  defineMethod("toUpper", [STRING], (call) => call.get(STRING).toUpperCase()),
  defineMethod("toLower", [STRING], (call) => call.get(STRING).toLowerCase()),
  defineBoth("len", [STRING], (call) => BigInt(charactersOf(call.get(STRING)).length)),
  defineMethod("split", [STRING, OPTIONAL_SEPARATOR, SPLITS], (call) => splitText(call, false)),
  defineMethod("rightSplit", [STRING, OPTIONAL_SEPARATOR, SPLITS], (call) => splitText(call, true)),
  defineMethod("join", [SEQUENCE, SEPARATOR], (call) =>
    joined(call, call.get(SEPARATOR), call.get(SEQUENCE)),
  ),
  defineMethod("join", [SEPARATOR, SEQUENCE], (call) =>
    joined(call, call.get(SEPARATOR), call.get(SEQUENCE)),
  ),
  defineFunction("str", [VALUE], (call) => shownText(call.get(VALUE))),
  trimming("trim", BOTH_SIDES),
  trimming("trimLeft", { left: true, right: false }),
  trimming("trimRight", { left: false, right: true }),
  defineBoth("norm", [NULLABLE_STRING, CHARS], (call) => {
    const whole = call.get(NULLABLE_STRING);
    const value = whole === null ? "" : stripped(whole, call.get(CHARS), BOTH_SIDES);
    return value === "" ? null : value;
  }),
  defineBoth("isEmpty", [NULLABLE_STRING, TRIM, CHARS], (call) => {
    const whole = call.get(NULLABLE_STRING);
    if (whole === null) return true;
    const trims = call.get(TRIM) ?? true;
    return (trims ? stripped(whole, call.get(CHARS), BOTH_SIDES) : whole) === "";
  }),
  defineMethod("replace", [STRING, OLD, NEW, COUNT], (call) => {
    const [whole, old, by] = [call.get(STRING), call.get(OLD), call.get(NEW)];
    limitReplaced(call, whole, old, by);
    return replaced(whole, old, by, call.get(COUNT) ?? -1n);
  }),
  defineMethod("replace", [STRING, REPLACEMENTS, COUNT], (call) => {
    let whole = call.get(STRING);
    for (const [key, value] of call.get(REPLACEMENTS).entries.values()) {
      const [old, by] = [shownText(key), shownText(value)];
      limitReplaced(call, whole, old, by);
      whole = replaced(whole, old, by, call.get(COUNT) ?? -1n);
    }
    return whole;
  }),
  defineFunction("#operator_*", [LEFT, RIGHT_TIMES], (call) =>
    repeated(call, call.get(LEFT), call.get(RIGHT_TIMES)),
  ),
  defineFunction("#operator_*", [LEFT_TIMES, RIGHT], (call) =>
    repeated(call, call.get(RIGHT), call.get(LEFT_TIMES)),
  ),
  defineFunction("#operator_in", [LEFT, RIGHT], (call) => call.get(RIGHT).includes(call.get(LEFT))),
  defineMethod("substring", [STRING, START, OPTIONAL_LENGTH], substring),
  ...finding("indexOf", false),
  ...finding("lastIndexOf", true),
  defineMethod("toCharArray", [STRING], (call) => new Sequence(charactersOf(call.get(STRING)))),
  defineFunction("characters", CLASS_FLAGS, characters),
  defineFunction("isString", [ANYTHING], (call) => typeof call.get(ANYTHING) === "string"),
  defineMethod("startsWith", [STRING, PREFIXES], (call) => {
    const whole = call.get(STRING);
    return call.rest(PREFIXES).some((prefix) => whole.startsWith(prefix));
  }),
  defineMethod("endsWith", [STRING, SUFFIXES], (call) => {
    const whole = call.get(STRING);
    return call.rest(SUFFIXES).some((suffix) => whole.endsWith(suffix));
  }),
];
