/** The names of a group's members. */
import { assert, requestLimitExceeded } from "#lib/errors.ts";
import { compareTexts } from "#lib/python/show-text.ts";

/**
 * All members become rows of one stack, and each plan of a change goes through all of them.
 * @limit members of one group
 * @beyond 400 `RequestLimitExceeded`
 */
export const GROUP_MEMBERS_MAX = 10_000;

export const checkSize = (size: number): void => {
  if (size <= GROUP_MEMBERS_MAX) return;
  throw requestLimitExceeded(
    `a group may have at most ${GROUP_MEMBERS_MAX} members, and this one asks for ${size}`,
  );
};

/** The members of a ResourceGroup: the numbers from 0 up, without the removed ones. */
export const indexNames = (count: number, skip: Iterable<string>): readonly string[] => {
  const skipped = new Set(skip);
  const names: string[] = [];
  for (let index = 0; names.length < count; index++) {
    const name = String(index);
    if (!skipped.has(name)) names.push(name);
  }
  return names;
};

const INDEX = /^(?:0|[1-9]\d{0,14})$/;

export const indexOf = (name: string): number | null => (INDEX.test(name) ? Number(name) : null);

export const byIndex = (names: Iterable<string>): readonly string[] =>
  [...names].sort((left, right) => (indexOf(left) ?? Infinity) - (indexOf(right) ?? Infinity));

const NAME_CHARS = 12;
const BITS_PER_CHAR = 5n;
const BASE_32 = "abcdefghijklmnopqrstuvwxyz234567";
/** 60 bits of a UUID, without the digit of its version. */
const RANDOM_DIGITS = /^([\da-f]{8})-([\da-f]{4})-[\da-f]([\da-f]{3})-/;

type Derive = (...parts: readonly string[]) => string;

interface NameSeed {
  readonly token: string;
  readonly statusVersion: number;
}

/** Like Heat's names for a scaling group, but derived: a repeated operation makes the same. */
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
