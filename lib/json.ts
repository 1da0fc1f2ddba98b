/**
 * JSON values, their parsing and their equality. Numbers keep their value and their kind, as in
 * Python: 1.0 is a float and 1 is an integer of any size (ADR 30). Maps keep the order of their
 * keys (ADR 33).
 */

declare global {
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: Json, context: { readonly source?: string }) => Json,
    ): Json;
    rawJSON(text: string): object;
  }
}

export type Json = null | boolean | JsonNumber | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };
export type JsonNumber = number | ExactNumber;

const SCIENTIFIC_MIN = 1e16;
const FIXED_MIN = 1e-4;
/** Python's limit for the digits of an integer in a text. The sign does not count. */
export const DIGITS_MAX = 4300;
const KEY_CHARS_MAX = 60;

const floatText = (value: number): string => {
  const size = Math.abs(value);
  if (size >= SCIENTIFIC_MIN || (size < FIXED_MIN && size > 0)) {
    const [digits, exponent = ""] = value.toExponential().split("e");
    return `${digits}e${exponent.charAt(0)}${exponent.slice(1).padStart(2, "0")}`;
  }
  if (!Number.isInteger(value)) return String(value);
  return Object.is(value, -0) ? "-0.0" : `${value}.0`;
};

/**
 * A number that would change as a JavaScript number: an integer beyond 2⁵³, or a float that Python
 * writes differently, such as 1.0 and 1e+20. `value` is a bigint for an integer and a number for a
 * float. `integerOf` and `floatOf` create one only where it is needed.
 */
export class ExactNumber {
  readonly value: bigint | number;

  constructor(value: bigint | number) {
    this.value = value;
  }

  toString(): string {
    return typeof this.value === "bigint" ? String(this.value) : floatText(this.value);
  }

  toJSON(): object {
    return JSON.rawJSON(this.toString());
  }
}

const hasTooManyDigits = (text: string): boolean =>
  text.length - (/^[+-]/.test(text) ? 1 : 0) > DIGITS_MAX;

/** @returns null when the integer has more digits than Python reads. */
export const integerOf = (value: bigint): JsonNumber | null => {
  const small = Number(value);
  if (Number.isSafeInteger(small)) return small;
  return hasTooManyDigits(String(value)) ? null : new ExactNumber(value);
};

export const floatOf = (value: number): JsonNumber | null => {
  if (!Number.isFinite(value)) return null;
  // JavaScript and Python write 1e+22 alike, but JavaScript treats an integral number as an
  // integer.
  const isOwn = !Number.isInteger(value) && String(value) === floatText(value);
  return isOwn ? value : new ExactNumber(value);
};

export const jsonNumber = (text: string): JsonNumber | null => {
  if (!/^[+-]?\d+$/.test(text)) return floatOf(Number(text));
  return hasTooManyDigits(text) ? null : integerOf(BigInt(text));
};

export const truncated = (value: JsonNumber): JsonNumber => {
  const magnitude = magnitudeOf(value);
  if (typeof magnitude === "bigint") return value;
  return integerOf(BigInt(Math.trunc(magnitude))) ?? value;
};

export const numberText = (value: JsonNumber): string =>
  typeof value === "number" && !Number.isInteger(value) ? floatText(value) : String(value);

export const isJsonNumber = (value: unknown): value is JsonNumber =>
  typeof value === "number" || value instanceof ExactNumber;

export const isInteger = (value: JsonNumber): boolean =>
  value instanceof ExactNumber ? typeof value.value === "bigint" : Number.isInteger(value);

/** For comparisons, because JavaScript compares a bigint and a number exactly. */
export const magnitudeOf = (value: JsonNumber): bigint | number =>
  value instanceof ExactNumber ? value.value : value;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof ExactNumber);

const MAY_NEED_CARE =
  /(?:^|[:,[])[ \t\r\n]*-?\d(?:\d{15}|\d{0,14}[.eE])[\d.eE+-]*[ \t\r\n]*(?:[,\]}]|$)/;

/** A number is valid JSON, but Python cannot read it. The message contains its key or its index. */
export class NumberOutOfRange extends SyntaxError {
  override readonly name = "NumberOutOfRange";

  constructor(key: string) {
    super(`the number at ${JSON.stringify(key.slice(0, KEY_CHARS_MAX))} is out of range`);
  }
}

const numberFromSource = (key: string, source: string): JsonNumber => {
  const number = jsonNumber(source);
  if (number === null) throw new NumberOutOfRange(key);
  return number;
};

const parseWithNumbers = (text: string): Json =>
  JSON.parse(text, (key, value, { source }) =>
    typeof value === "number" && source !== undefined ? numberFromSource(key, source) : value,
  );

/** Finds keys of digits. JavaScript may move such a key before the other keys of its object. */
const MAY_MOVE = /"(?:\d|\\u003\d){1,10}"[ \t\r\n]*:/;

const closingQuote = (text: string, opening: number): number => {
  for (let at = text.indexOf('"', opening + 1); ; at = text.indexOf('"', at + 1)) {
    let escapes = at;
    while (text[escapes - 1] === "\\") escapes -= 1;
    if ((at - escapes) % 2 === 0) return at;
  }
};

const COLON = /[ \t\r\n]*:/y;
/** JavaScript never moves a key that begins with this mark. */
const MARK = "#";
const BEGINS_MARKED = /[\d\\#]/y;

/** This is a loop because a regular expression for strings fails on a very long string. */
const withMarkedKeys = (text: string): string => {
  let marked = "";
  let copied = 0;
  for (let quote = text.indexOf('"'); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    const opened = quote + 1;
    quote = closingQuote(text, quote);
    BEGINS_MARKED.lastIndex = opened;
    COLON.lastIndex = quote + 1;
    if (!BEGINS_MARKED.test(text) || !COLON.test(text)) continue;
    marked += text.slice(copied, opened) + MARK;
    copied = opened;
  }
  return marked + text.slice(copied);
};

const withoutMarks = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(
    ([key, inner]) => [key.startsWith(MARK) ? key.slice(1) : key, withoutMarks(inner)] as const,
  );
  return mapOf(members);
};

/** Deeper values would exhaust the call stack. Every reader of texts from outside refuses them. */
const ORDERED_LEVELS_MAX = 1_000;

const nestsDeeper = (value: Json, levels: number): boolean => {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => nestsDeeper(inner, levels - 1));
};

/** @throws SyntaxError */
export const parseJson = (text: string): Json => {
  const parse = MAY_NEED_CARE.test(text) ? parseWithNumbers : JSON.parse;
  const value: Json = parse(text);
  if (!MAY_MOVE.test(text) || nestsDeeper(value, ORDERED_LEVELS_MAX)) return value;
  // Our own texts are written in this form. If the result is equal, JavaScript has moved no key.
  if (JSON.stringify(value) === text) return value;
  return withoutMarks(parse(withMarkedKeys(text)));
};

const canonicalNumber = (value: JsonNumber): string => {
  const magnitude = magnitudeOf(value);
  return value === magnitude || !Number.isInteger(magnitude)
    ? String(value)
    : String(BigInt(magnitude));
};

/**
 * Equal values get the same text, whatever the order of their keys. It is used to compare and hash.
 */
export const canonicalJson = (value: Json): string => {
  if (typeof value === "string") return JSON.stringify(value);
  if (isJsonNumber(value)) return canonicalNumber(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isJsonObject(value)) return String(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${members.join(",")}}`;
};

/**
 * @returns whether JSON.stringify would give both the same text. The texts themselves are not made,
 * because those of a large template need 20 MB.
 */
export const hasSameText = (one: Json, other: Json): boolean => {
  if (one === other) return true;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, at) => hasSameText(item, other[at]));
  }
  if (isJsonObject(one) && isJsonObject(other)) return haveSameMembers(one, other);
  return isJsonNumber(one) && isJsonNumber(other) && JSON.stringify(one) === JSON.stringify(other);
};

const haveSameMembers = (one: JsonObject, other: JsonObject): boolean => {
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return (
    keys.length === others.length &&
    keys.every((key, at) => key === others[at] && hasSameText(one[key] ?? null, other[key] ?? null))
  );
};

/** As in Python, 1 and 1.0 are equal. */
export const jsonEquals = (left: Json, right: Json): boolean =>
  left === right || canonicalJson(left) === canonicalJson(right);

/**
 * Maps with users' keys, in the order in which they were made, as in Python (ADR 33). An object of
 * JavaScript moves keys such as "2" to its front. `mapOf` makes more than a plain object only for
 * entries whose order this would change.
 */
export type MapOf<T> = { readonly [key: string]: T };
type Entry<T> = readonly [key: string, value: T];

const INDEX = /^(?:0|[1-9]\d{0,9})$/;
/** JavaScript moves no larger key. */
const INDEX_MAX = 4_294_967_294;

/** Moved keys stand first, so the first key tells whether there are any. */
const startsWithIndex = (plain: object): boolean => {
  for (const key in plain) return INDEX.test(key) && Number(key) <= INDEX_MAX;
  return false;
};

/** Nothing can be added to it, and so its list of keys stays complete. */
const inOrder = <T>(plain: MapOf<T>, keys: readonly string[]): MapOf<T> =>
  new Proxy(Object.freeze(plain), { ownKeys: () => keys });

/** As in Python, the last value of a key counts, at the place where the key stood first. */
export const mapOf = <T>(entries: readonly Entry<T>[] | ReadonlyMap<string, T>): MapOf<T> => {
  const plain = Object.fromEntries(entries);
  if (!startsWithIndex(plain)) return plain;
  const keys = [...new Map(entries).keys()];
  const natural = Object.keys(plain);
  return keys.every((key, at) => key === natural[at]) ? plain : inOrder(plain, keys);
};

/** Python's `{**first, **second}`. */
export const mergedMaps = <T>(...maps: readonly (MapOf<T> | null | undefined)[]): MapOf<T> =>
  mapOf(maps.flatMap((map) => Object.entries(map ?? {})));
