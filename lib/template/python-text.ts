/**
 * How Heat turns values into text. Results and errors show Python's str() and repr(). JSON has
 * Python's separators and ASCII escapes.
 */
import { isInteger, isJsonNumber, type Json, numberText } from "#lib/json.ts";
import { compareTexts, reprText } from "#lib/python/show-text.ts";
import { isJsonArray } from "./json-shape.ts";

/** Most texts need no escapes, and converting them takes long. */
const UNCHANGED = /^[ !#-[\]-~]*$/;

const jsonString = (value: string): string =>
  UNCHANGED.test(value) ? `"${value}"` : escapedString(value);

const escapedString = (value: string): string =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Python's json.dumps. Functions sort the keys, and parameters keep the template's order. */
export const jsonText = (value: Json, options: { readonly sortKeys: boolean }): string => {
  if (value === null || typeof value === "boolean") return String(value);
  if (isJsonNumber(value)) return numberText(value);
  if (typeof value === "string") return jsonString(value);
  if (isJsonArray(value)) return `[${value.map((item) => jsonText(item, options)).join(", ")}]`;
  const keys = Object.keys(value);
  if (options.sortKeys) keys.sort(compareTexts);
  const members = keys.map((key) => `${jsonString(key)}: ${jsonText(value[key] ?? null, options)}`);
  return `{${members.join(", ")}}`;
};

/** Python's repr(). */
export const pythonRepr = (value: Json): string => {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (isJsonNumber(value)) return numberText(value);
  if (typeof value === "string") return reprText(value);
  if (isJsonArray(value)) return `[${value.map(pythonRepr).join(", ")}]`;
  const members = Object.entries(value).map(
    ([key, item]) => `${reprText(key)}: ${pythonRepr(item)}`,
  );
  return `{${members.join(", ")}}`;
};

const SHOWN_CHARACTERS_MAX = 200;

/** Heat shortens values in errors like this. A character takes up to two UTF-16 units. */
export const shortRepr = (value: Json): string => {
  const beginning = pythonRepr(value).slice(0, 2 * SHOWN_CHARACTERS_MAX);
  return Array.from(beginning).slice(0, SHOWN_CHARACTERS_MAX).join("");
};

export const pythonText = (value: Json): string =>
  typeof value === "string" ? value : pythonRepr(value);

export const pythonType = (value: Json): string => {
  if (value === null) return "NoneType";
  if (typeof value === "boolean") return "bool";
  if (isJsonNumber(value)) return isInteger(value) ? "int" : "float";
  if (typeof value === "string") return "str";
  return isJsonArray(value) ? "list" : "dict";
};

export const noAttribute = (value: Json, name: string): string =>
  `'${pythonType(value)}' object has no attribute '${name}'`;
