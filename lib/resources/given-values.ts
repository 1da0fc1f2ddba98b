import { isJsonNumber, type Json, type JsonObject, magnitudeOf } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import { isEmpty, member } from "#lib/template/json-shape.ts";

export const isGiven = (properties: JsonObject, key: string): boolean =>
  (member(properties, key) ?? null) !== null;

/**
 * Stands for the place where Heat's check reads these properties. If nobody has checked the values
 * before, as in a nested template, it throws at the first wrong one.
 */
export const reads = (properties: JsonObject, ...keys: readonly string[]): null => {
  for (const key of keys) member(properties, key);
  return null;
};

/** As in Heat, a value that Python considers false counts as missing. */
export const isSet = (properties: JsonObject, key: string): boolean =>
  !isEmpty(member(properties, key));

export const numberOf = (properties: JsonObject, key: string): bigint | number | null => {
  const value = member(properties, key) ?? null;
  return isJsonNumber(value) ? magnitudeOf(value) : null;
};

export const firstProblem = <One>(
  all: readonly One[],
  problemOf: (one: One) => Problem,
): Problem => {
  for (const one of all) {
    const problem = problemOf(one);
    if (problem !== null) return problem;
  }
  return null;
};

export const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");
