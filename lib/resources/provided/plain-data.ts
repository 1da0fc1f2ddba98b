/** Converts values of templates to plain JavaScript data. Each provider gets its own copy. */
import { ExactNumber, isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";
import type { Json as PlainJson, JsonObject as PlainObject } from "#provider/provider.ts";

export class NoPlainNumber extends Error {
  override readonly name = "NoPlainNumber";
}

const plainNumber = ({ value }: ExactNumber): number => {
  const number = Number(value);
  if (typeof value !== "bigint" || Number.isSafeInteger(number)) return number;
  throw new NoPlainNumber("a property has an integer that is too large for a provider");
};

const plain = (value: Json): PlainJson => {
  if (value instanceof ExactNumber) return plainNumber(value);
  if (isJsonArray(value)) return value.map(plain);
  return isJsonObject(value) ? plainObject(value) : value;
};

export const plainObject = (value: JsonObject): PlainObject =>
  mapOf(Object.entries(value).map(([key, member]) => [key, plain(member)] as const));
