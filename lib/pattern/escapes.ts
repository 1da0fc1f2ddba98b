import {
  type Category,
  type CategoryName,
  CHARACTER_LAST,
  CharacterSet,
  type Folding,
  joinRanges,
} from "./characters.ts";
import type { Flags } from "./flags.ts";
import type { Tokens } from "./tokens.ts";

export const CONTROL_CHARACTERS: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};
const CATEGORIES: Readonly<Record<string, CategoryName>> = { w: "word", d: "digit", s: "space" };
const DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const HEXADECIMAL = /^[0-9A-Fa-f]$/;
export const OCTAL = /^[0-7]$/;
const OCTAL_MAX = 0o377;

export const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

export const categoryOf = (letter: string, { ascii: isAscii }: Flags): Category | null => {
  const lower = letter.toLowerCase();
  const name = Object.hasOwn(CATEGORIES, lower) ? CATEGORIES[lower] : undefined;
  return name === undefined ? null : { name, isAscii, isNegated: letter !== lower };
};

export const octalCode = (tokens: Tokens, token: string): number => {
  const code = Number.parseInt(token.slice(1), 8);
  if (code <= OCTAL_MAX) return code;
  const what = `octal escape value ${token} outside of range 0-0o377`;
  throw tokens.failure(what, token);
};

const hexadecimalCode = (tokens: Tokens, token: string, digits: number): number => {
  const number = tokens.takeWhile(digits, HEXADECIMAL);
  const whole = token + number;
  if (number.length < digits) throw tokens.failure(`incomplete escape ${whole}`, whole);
  const code = Number.parseInt(number, 16);
  if (code > CHARACTER_LAST) throw tokens.failure(`bad escape ${whole}`, whole);
  return code;
};

export const escapedCode = (tokens: Tokens, token: string): number => {
  const letter = token.slice(1);
  const character = CONTROL_CHARACTERS[letter];
  if (character !== undefined) return codeOf(character);
  const digits = DIGITS[letter];
  if (digits !== undefined) return hexadecimalCode(tokens, token, digits);
  if (letter === "N") throw tokens.failure("characters by name (\\N) are not supported", token);
  if (/^[A-Za-z0-9]$/.test(letter)) throw tokens.failure(`bad escape ${token}`, token);
  return codeOf(letter);
};

const escapedInSet = (tokens: Tokens, token: string, flags: Flags): number | Category => {
  const letter = token.slice(1);
  const category = categoryOf(letter, flags);
  if (category !== null) return category;
  if (!OCTAL.test(letter)) return escapedCode(tokens, token);
  return octalCode(tokens, token + tokens.takeWhile(2, OCTAL));
};

export const foldingOf = ({ ignoreCase, ascii }: Flags): Folding => {
  if (!ignoreCase) return "none";
  return ascii ? "ascii" : "unicode";
};

export const readSet = (tokens: Tokens, flags: Flags): CharacterSet => {
  const start = tokens.position - 1;
  const ranges: (readonly [number, number])[] = [];
  const categories: Category[] = [];
  const isNegated = tokens.accepts("^");
  const take = (): string => {
    const token = tokens.take();
    if (token !== null) return token;
    throw tokens.failureAt("unterminated character set", start);
  };
  const itemOf = (token: string): number | Category =>
    token.startsWith("\\") ? escapedInSet(tokens, token, flags) : codeOf(token);
  const add = (item: number | Category): void => {
    if (typeof item === "number") ranges.push([item, item]);
    else categories.push(item);
  };
  for (;;) {
    const token = take();
    const isFirst = ranges.length === 0 && categories.length === 0;
    if (token === "]" && !isFirst) break;
    const first = itemOf(token);
    if (!tokens.accepts("-")) {
      add(first);
      continue;
    }
    const end = take();
    if (end === "]") {
      add(first);
      add(codeOf("-"));
      break;
    }
    const last = itemOf(end);
    if (typeof first !== "number" || typeof last !== "number" || last < first) {
      // Python computes the position from the end, with the two-character tokens of the escapes.
      throw tokens.failure(`bad character range ${token}-${end}`, token, "-", end);
    }
    ranges.push([first, last]);
  }
  return new CharacterSet(joinRanges(ranges), categories, isNegated, foldingOf(flags));
};
