import { type Category, type CategoryName, CHARACTER_LAST } from "./characters.ts";
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

export const escapedInSet = (tokens: Tokens, token: string, flags: Flags): number | Category => {
  const letter = token.slice(1);
  const category = categoryOf(letter, flags);
  if (category !== null) return category;
  if (!OCTAL.test(letter)) return escapedCode(tokens, token);
  return octalCode(tokens, token + tokens.takeWhile(2, OCTAL));
};
