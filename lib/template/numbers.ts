/** Python's int() and float() of text. Null for wrong text and for numbers that JSON lacks. */
import { isJsonNumber, type Json, type JsonNumber, jsonNumber, magnitudeOf } from "#lib/json.ts";
import { decimalText, integerText, notFinite } from "#lib/python/number-text.ts";
import { pythonRepr, pythonType } from "./python-text.ts";

export const integerFromText = (text: string): JsonNumber | null => {
  const digits = integerText(text);
  return digits === null ? null : jsonNumber(digits);
};

export const numberFromText = (text: string): JsonNumber | null => {
  const digits = decimalText(text);
  return digits === null ? null : jsonNumber(digits);
};

/** What Python accepts as a number. JSON has no infinity, so these values are texts (ADR 30). */
export type PythonNumber = JsonNumber | boolean | "inf" | "-inf" | "nan";

const pythonNumberFromText = (text: string): PythonNumber | null => {
  const digits = decimalText(text);
  if (digits === null) return notFinite(text);
  return jsonNumber(digits) ?? (digits.startsWith("-") ? "-inf" : "inf");
};

const MAGNITUDES = { inf: Infinity, "-inf": -Infinity, nan: Number.NaN } as const;

export const pythonMagnitude = (value: PythonNumber): bigint | number => {
  if (typeof value === "boolean") return Number(value);
  return isJsonNumber(value) ? magnitudeOf(value) : MAGNITUDES[value];
};

export const pythonNumberOf = (value: Json): PythonNumber | null => {
  if (isJsonNumber(value) || typeof value === "boolean") return value;
  return typeof value === "string" ? pythonNumberFromText(value) : null;
};

export const notConvertible = (value: Json): string => {
  const wanted = "a string, a bytes-like object or a real number";
  return `int() argument must be ${wanted}, not '${pythonType(value)}'`;
};

export const notANumber = (value: Json, show: (text: string) => string): string => {
  if (typeof value === "string") {
    return `could not convert string to float: ${show(pythonRepr(value))}`;
  }
  return notConvertible(value);
};
