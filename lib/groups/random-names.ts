/** Member names as in Heat, but derived: a repeated operation makes the same names. */
import { assert } from "#lib/errors.ts";
import { compareTexts } from "#lib/python/order.ts";

const NAME_CHARS = 12;
const BITS_PER_CHAR = 5n;
const BASE_32 = "abcdefghijklmnopqrstuvwxyz234567";
/** 60 bits of a UUID, without the digit of its version. */
const RANDOM_DIGITS = /^([\da-f]{8})-([\da-f]{4})-[\da-f]([\da-f]{3})-/;

export type Derive = (...parts: readonly string[]) => string;

export interface NameSeed {
  readonly token: string;
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

export type DrawNames = (count: number) => readonly string[];

/** Members of the same age are ordered by their names, so new names come sorted. */
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
