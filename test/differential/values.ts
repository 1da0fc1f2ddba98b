/** Odd values for parameters: all kinds of JSON, and texts that look like other kinds. */
import { type Json, mapOf, parseJson } from "#lib/json.ts";
import type { Random } from "#lib/ports/ports.ts";

export const pick = <T>(random: Random, list: readonly [T, ...T[]]): T =>
  list[random.below(list.length)] ?? list[0];

export const chance = (random: Random, percent: number): boolean => random.below(100) < percent;

const TEXTS = [
  "",
  " ",
  "a",
  "ab",
  " a b ",
  "a,b",
  "a,,b,",
  "é",
  "日本",
  "\u{1f600}",
  "it's",
  'say "x"',
  "a\\b",
  "a\nb",
  "a\tb",
  "\u0085a",
  "\u00a0",
  "\u200b",
  "None",
  "null",
  "true",
  "False",
  " Yes ",
  "oN",
  "t",
  "n",
  "0",
  "1",
  "01",
  "-0",
  "+5",
  " 5 ",
  "5.0",
  ".5",
  "5.",
  "1e3",
  "1_000",
  "1__0",
  "_1",
  "٣",
  "0x10",
  "inf",
  "nan",
  "12345678901234567890",
  "1.0000000000000000001",
  "[]",
  "{}",
  '{"a": 1, "b": [1.0, null]}',
  '{"é": "é"}',
  "[1, 2",
  '{"a": }',
  '"text"',
  "1.50",
  "[true]",
  "192.0.2.1",
] as const;

const NUMBERS = [
  "0",
  "1",
  "-1",
  "2",
  "5",
  "10",
  "-7",
  "12345678901234567890",
  "1.0",
  "-0.0",
  "1.5",
  "2.5",
  "0.1",
  "1e+20",
  "1e-07",
  "1e+16",
  "123456789.125",
] as const;

/**
 * Python also accepts the last two in JSON. Hearth refuses them, because JSON has no such numbers.
 */
const NUMBER_TEXTS = [
  "inf",
  "NaN",
  "+infinity",
  "5",
  " 7 ",
  "2.50",
  "-1e-3",
  "1E400",
  "-Infinity",
] as const;

export const aNumberText = (random: Random): string =>
  chance(random, 40) ? pick(random, NUMBER_TEXTS) : aText(random);

export const aText = (random: Random): string => pick(random, TEXTS);

export const aNumber = (random: Random): Json => parseJson(pick(random, NUMBERS));

const KEYS = ["a", "b", "é", "1", "10", "2", "0", "", "a b"] as const;
const DEPTH_MAX = 3;

const someOf = (random: Random, depth: number): Json[] =>
  Array.from({ length: random.below(4) }, () => aValue(random, depth + 1));

export const aMap = (random: Random, depth = 0): Json =>
  mapOf(someOf(random, depth).map((value) => [pick(random, KEYS), value]));

export const aList = (random: Random, depth = 0): Json => someOf(random, depth);

export const aValue = (random: Random, depth = 0): Json => {
  const kind = random.below(depth < DEPTH_MAX ? 10 : 7);
  if (kind < 3) return aText(random);
  if (kind < 5) return aNumber(random);
  if (kind === 5) return chance(random, 50);
  if (kind === 6) return null;
  return kind === 7 ? aMap(random, depth) : aList(random, depth);
};
