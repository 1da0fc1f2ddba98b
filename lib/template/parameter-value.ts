import type { Json } from "#lib/json.ts";
import type { Show } from "./constraints.ts";
import { describeJsonError } from "./json-error.ts";
import { DEPTH_MAX, isDeeperThan, isJsonArray, jsonFromText, TOO_DEEP } from "./json-shape.ts";
import { notANumber, pythonNumberOf } from "./numbers.ts";
import type { ParameterSchema } from "./parameter-schema.ts";
import { booleanOf, notABoolean } from "./python-boolean.ts";
import { pythonText, pythonType } from "./python-text.ts";

export type Reading = { readonly value: Json } | { readonly wrong: string };

const readNumber = (value: Json, show: Show): Reading => {
  const number = pythonNumberOf(value);
  return number === null ? { wrong: notANumber(value, show) } : { value: number };
};

const readBoolean = (value: Json, show: Show): Reading => {
  const text = pythonText(value);
  const word = booleanOf(text);
  return word === null ? { wrong: notABoolean(show(text)) } : { value: word };
};

export const listFromText = (text: string): readonly string[] =>
  text === "" ? [] : text.split(",");

const readList = (value: Json): Reading => {
  if (isJsonArray(value)) return { value: value.map(pythonText) };
  if (typeof value === "string") return { value: listFromText(value) };
  const type = pythonType(value);
  return {
    wrong: `must be a comma-delimited list string: '${type}' object has no attribute 'split'`,
  };
};

const readJson = (value: Json): Reading => {
  if (value === "") return { value };
  const read = typeof value === "string" ? jsonFromText(value) : value;
  if (read === undefined) {
    return { wrong: `must be valid JSON: ${describeJsonError(pythonText(value))}` };
  }
  return isDeeperThan(read, DEPTH_MAX) ? { wrong: `must not be ${TOO_DEEP}` } : { value: read };
};

export const readValue = (schema: ParameterSchema, value: Json, show: Show): Reading => {
  switch (schema.type) {
    case "string":
      return { value: pythonText(value) };
    case "number":
      return readNumber(value, show);
    case "boolean":
      return readBoolean(value, show);
    case "comma_delimited_list":
      return readList(value);
    case "json":
      return readJson(value);
  }
};
