/**
 * How Heat turns values into text. Results and errors show Python's str() and repr(). JSON has
 * Python's separators and ASCII escapes.
 */
import { isInteger, isJsonNumber, type Json, numberText } from "#lib/json.ts";
import { isJsonArray } from "./json-shape.ts";
import { SHORT_ESCAPES } from "./python-escapes.ts";

const jsonString = (value: string): string =>
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
  const entries = Object.entries(value);
  if (options.sortKeys) entries.sort(([left], [right]) => (left < right ? -1 : 1));
  const members = entries.map(([key, item]) => `${jsonString(key)}: ${jsonText(item, options)}`);
  return `{${members.join(", ")}}`;
};

const reprString = (value: string): string => {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  const inner = value.replace(/[\\\n\r\t]/g, (character) => SHORT_ESCAPES[character] ?? character);
  return quote + (quote === "'" ? inner.replaceAll("'", "\\'") : inner) + quote;
};

/** Python's repr(). */
export const pythonRepr = (value: Json): string => {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (isJsonNumber(value)) return numberText(value);
  if (typeof value === "string") return reprString(value);
  if (isJsonArray(value)) return `[${value.map(pythonRepr).join(", ")}]`;
  const members = Object.entries(value).map(
    ([key, item]) => `${reprString(key)}: ${pythonRepr(item)}`,
  );
  return `{${members.join(", ")}}`;
};

/** Python's str(). */
export const pythonText = (value: Json): string =>
  typeof value === "string" ? value : pythonRepr(value);

/** The name of a value's Python type, which some of Heat's errors show. */
export const pythonType = (value: Json): string => {
  if (value === null) return "NoneType";
  if (typeof value === "boolean") return "bool";
  if (isJsonNumber(value)) return isInteger(value) ? "int" : "float";
  if (typeof value === "string") return "str";
  return isJsonArray(value) ? "list" : "dict";
};
