/** Sets of characters as Python 3.11 defines them. Characters are code points. */
import { CASE_FAMILIES, CASE_PAIRS, DIGITS, SPACES, WORDS } from "./character-tables.ts";

/** How matching ignores case: not at all, for ASCII letters only, or for all of Unicode. */
export type Folding = "none" | "ascii" | "unicode";

export type Ranges = readonly number[];

/** Python's `\w`, `\d` and `\s`. With the flag `a`, only their ASCII characters. */
export type CategoryName = "word" | "digit" | "space";

export interface Category {
  readonly name: CategoryName;
  readonly isAscii: boolean;
  readonly isNegated: boolean;
}

export const ASCII_LAST = 0x7f;
export const CHARACTER_LAST = 0x10_ff_ff;

export const pairsOf = (ranges: Ranges): readonly (readonly [number, number])[] =>
  Array.from({ length: ranges.length / 2 }, (_, at) => [
    ranges[2 * at] ?? 0,
    ranges[2 * at + 1] ?? 0,
  ]);

const rangesFrom = (table: readonly number[]): Ranges => {
  let end = 0;
  return table.map((number, index) => {
    end += number;
    return index % 2 === 0 ? end : end - 1;
  });
};

const UNICODE: Readonly<Record<CategoryName, Ranges>> = {
  word: rangesFrom(WORDS),
  digit: rangesFrom(DIGITS),
  space: rangesFrom(SPACES),
};
const codesOf = (text: string): readonly number[] =>
  Array.from(text, (character) => character.codePointAt(0) ?? 0);
/** With the flag `a`, the separators from 0x1c to 0x1f are not spaces. */
const ASCII: Readonly<Record<CategoryName, Ranges>> = {
  word: codesOf("09AZ__az"),
  digit: codesOf("09"),
  space: codesOf("\t\r  "),
};

const complement = (ranges: Ranges): Ranges => {
  const others: number[] = [];
  let next = 0;
  for (const [first, last] of pairsOf(ranges)) {
    if (next < first) others.push(next, first - 1);
    next = last + 1;
  }
  if (next <= CHARACTER_LAST) others.push(next, CHARACTER_LAST);
  return others;
};

const rangesIn = ({ name, isAscii, isNegated }: Category): Ranges => {
  const ranges = (isAscii ? ASCII : UNICODE)[name];
  return isNegated ? complement(ranges) : ranges;
};

export const isWordCharacter = (code: number, isAscii: boolean): boolean =>
  inRanges((isAscii ? ASCII : UNICODE).word, code);

const inRanges = (ranges: Ranges, code: number): boolean => {
  let low = 0;
  let high = ranges.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (code > (ranges[2 * middle + 1] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return code >= (ranges[2 * low] ?? Number.POSITIVE_INFINITY);
};

export const joinRanges = (pairs: readonly (readonly [number, number])[]): Ranges => {
  const joined: number[] = [];
  for (const [first, last] of [...pairs].sort(([one], [other]) => one - other)) {
    const end = joined.at(-1);
    if (end === undefined || first > end + 1) joined.push(first, last);
    else joined[joined.length - 1] = Math.max(end, last);
  }
  return joined;
};

const otherCases = (): ReadonlyMap<number, readonly number[]> => {
  const others = new Map<number, readonly number[]>();
  for (let at = 0; at < CASE_PAIRS.length; at += 4) {
    const [first = 0, other = 0, count = 0, step = 0] = CASE_PAIRS.slice(at, at + 4);
    for (let distance = 0; distance < count * step; distance += step) {
      others.set(first + distance, [other + distance]);
      others.set(other + distance, [first + distance]);
    }
  }
  for (const family of CASE_FAMILIES) {
    for (const code of family) {
      others.set(
        code,
        family.filter((one) => one !== code),
      );
    }
  }
  return others;
};

const OTHER_CASES = otherCases();
const NONE: readonly number[] = [];
const ASCII_LETTERS = codesOf("AZaz");
const CASE_BIT = 0x20;

export const otherCasesOf = (code: number, folding: Folding): readonly number[] => {
  if (folding === "unicode") return OTHER_CASES.get(code) ?? NONE;
  return folding === "ascii" && inRanges(ASCII_LETTERS, code) ? [code ^ CASE_BIT] : NONE;
};

const lowerOf = (code: number): number =>
  String.fromCodePoint(code).toLowerCase().codePointAt(0) ?? code;

/** How a back reference compares. Unlike a set, it does not match `ſ` with `s`. */
export const isSameCharacter = (one: number, other: number, folding: Folding): boolean =>
  one === other || (otherCasesOf(one, folding).includes(other) && lowerOf(one) === lowerOf(other));

const UNITED = new Map<string, Ranges>();

/** A pattern may have many sets, so sets of the same categories share their ranges. */
const unitedRanges = (categories: readonly Category[]): Ranges => {
  const names = categories.map(({ name, isAscii, isNegated }) => `${name} ${isAscii} ${isNegated}`);
  const key = [...new Set(names)].sort().join();
  const known = UNITED.get(key);
  if (known !== undefined) return known;
  const united = joinRanges(categories.flatMap((category) => pairsOf(rangesIn(category))));
  UNITED.set(key, united);
  return united;
};

const BITS = 32;

export class CharacterSet {
  readonly ranges: Ranges;
  readonly categories: Ranges;
  readonly isNegated: boolean;
  readonly folding: Folding;
  #ascii: Int32Array | null = null;

  constructor(
    ranges: Ranges,
    categories: readonly Category[] = [],
    isNegated = false,
    folding: Folding = "none",
  ) {
    this.ranges = ranges;
    this.categories = categories.length === 0 ? ranges : unitedRanges(categories);
    this.isNegated = isNegated;
    this.folding = folding;
  }

  has(code: number): boolean {
    if (code > ASCII_LAST) return this.#holds(code) !== this.isNegated;
    this.#ascii ??= this.#asciiBits();
    return (((this.#ascii[code >> 5] ?? 0) >> (code & (BITS - 1))) & 1) === 1;
  }

  /** Loops over ranges, not over all characters: a pattern may have thousands of sets. */
  #asciiBits(): Int32Array {
    const bits = new Int32Array((ASCII_LAST + 1) / BITS);
    const add = (code: number): void => {
      const at = Math.floor(code / BITS);
      bits[at] = (bits[at] ?? 0) | (1 << (code % BITS));
    };
    for (const ranges of [this.ranges, this.categories]) {
      for (let at = 0; (ranges[at] ?? CHARACTER_LAST) <= ASCII_LAST; at += 2) {
        const last = Math.min(ranges[at + 1] ?? 0, ASCII_LAST);
        for (let code = ranges[at] ?? 0; code <= last; code += 1) add(code);
      }
    }
    if (this.folding !== "none") {
      for (let code = 0; code <= ASCII_LAST; code += 1) if (this.#holdsOtherCase(code)) add(code);
    }
    return this.isNegated ? bits.map((some) => ~some) : bits;
  }

  #holds(code: number): boolean {
    if (inRanges(this.ranges, code) || inRanges(this.categories, code)) return true;
    return this.folding !== "none" && this.#holdsOtherCase(code);
  }

  #holdsOtherCase(code: number): boolean {
    for (const other of otherCasesOf(code, this.folding)) {
      if (inRanges(this.ranges, other)) return true;
    }
    return false;
  }
}
