/**
 * The names of members of scaling groups: 12 characters as in Heat. They look random, but derive
 * from what an operation has read. So a repetition of the operation makes the same names.
 */
import { assert } from "#lib/errors.ts";
import { compareTexts } from "#lib/python/order.ts";

const NAME_CHARS = 12;
const BITS_PER_CHAR = 5n;
const BASE_32 = "abcdefghijklmnopqrstuvwxyz234567";
/** 60 bits. A UUID keeps its version in the digit before the last three. */
const RANDOM_DIGITS = /^([\da-f]{8})-([\da-f]{4})-[\da-f]([\da-f]{3})-/;

/** Gives the same UUID for the same parts. */
export type Derive = (...parts: readonly string[]) => string;

export interface NameSeed {
  /** Of the operation, or of the signal. */
  readonly token: string;
  /** Of the nested stack as it was read. */
  readonly statusVersion: number;
}

export const memberName = (derive: Derive, seed: NameSeed, number: number): string => {
  const parts = [seed.token, String(seed.statusVersion), String(number)];
  const digits = RANDOM_DIGITS.exec(derive("group member", ...parts))
    ?.slice(1)
    .join("");
  assert(digits !== undefined, "the name of a member needs a UUID");
  let bits = BigInt(`0x${digits}`);
  let name = "";
  for (let at = 0; at < NAME_CHARS; at++) {
    name = BASE_32.charAt(Number(bits % 32n)) + name;
    bits >>= BITS_PER_CHAR;
  }
  return name;
};

/** Gives so many new names. Each call gives others. */
export type DrawNames = (count: number) => readonly string[];

/** Members of the same age are ordered by their names, and these stay in that order. */
export const drawNames = (
  nameOf: (number: number) => string,
  taken: Iterable<string>,
): DrawNames => {
  const known = new Set(taken);
  let number = 0;
  return (count) => {
    const names: string[] = [];
    while (names.length < count) {
      const name = nameOf(number);
      number += 1;
      if (!known.has(name)) names.push(name);
      known.add(name);
    }
    return names.sort(compareTexts);
  };
};
