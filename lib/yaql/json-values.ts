import {
  floatOf,
  integerOf,
  isInteger,
  isJsonNumber,
  type Json,
  magnitudeOf,
  mapOf,
} from "#lib/json.ts";
import { type Limits, membersOf } from "./engine.ts";
import { dictionaryOf } from "./equality.ts";
import { YaqlError } from "./errors.ts";
import { pythonText } from "./repr.ts";
import { Dictionary, isMany, isSet, Sequence, typeOf, type Value } from "./values.ts";

export const valueOfJson = (json: Json): Value => {
  if (json === null || typeof json === "boolean" || typeof json === "string") return json;
  if (isJsonNumber(json)) {
    const magnitude = magnitudeOf(json);
    return isInteger(json) ? BigInt(magnitude) : Number(magnitude);
  }
  if (Array.isArray(json)) return new Sequence(json.map(valueOfJson));
  return dictionaryOf(Object.entries(json).map(([key, item]) => [key, valueOfJson(item)] as const));
};

const DEEP_MAX = 200;

const noJson = (value: Value): YaqlError =>
  new YaqlError(
    "unsupported",
    `The result of the expression has a ${typeOf(value)}, which is no JSON`,
  );

const numberOf = (value: bigint | number): Json => {
  const json = typeof value === "bigint" ? integerOf(value) : floatOf(value);
  if (json !== null) return json;
  throw new YaqlError("unsupported", "The result of the expression has a number that is no JSON");
};

/** A tuple can be a key, but Heat turns it into a list, which cannot. */
const keyOf = (limits: Limits, key: Value, deep: number): string => {
  if (typeof key !== "object" || key === null) return keyText(jsonOf(limits, key, deep));
  if (!limits.setsMayHoldLists) checkHash(key);
  return pythonText(key);
};

const keyText = (key: Json): string => {
  if (key === null) return "null";
  return typeof key === "string" || typeof key === "boolean" || isJsonNumber(key)
    ? String(key)
    : JSON.stringify(key);
};

/** Heat turns tuples and frozen dictionaries into types that a Python set must not contain. */
const checkHash = (member: Value): void => {
  if (isMany(member) && !isSet(member)) throw new YaqlError("type", "unhashable type: 'list'");
  if (isSet(member)) throw new YaqlError("type", "unhashable type: 'set'");
  if (member instanceof Dictionary) throw new YaqlError("type", "unhashable type: 'dict'");
};

/** Reads lazy values. A set becomes a list in the order in which its items were added. */
export const jsonOf = (limits: Limits, value: Value, deep = 0): Json => {
  if (deep > DEEP_MAX) throw new YaqlError("limit", "maximum recursion depth exceeded");
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "bigint" || typeof value === "number") return numberOf(value);
  const members = membersOf(limits, value);
  if (members === null) throw noJson(value);
  if (value instanceof Dictionary) {
    const entries: [string, Json][] = [];
    for (const [key, item] of value.entries.values()) {
      const json = jsonOf(limits, item, deep + 1);
      entries.push([keyOf(limits, key, deep + 1), json]);
    }
    return mapOf(entries);
  }
  const items: Json[] = [];
  for (const member of members) {
    if (isSet(value) && !limits.setsMayHoldLists) checkHash(member);
    items.push(jsonOf(limits, member, deep + 1));
  }
  return items;
};
