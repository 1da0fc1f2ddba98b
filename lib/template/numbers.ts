/** Python's int() and float() of text. Null for wrong text and for numbers that JSON lacks. */
import { isJsonNumber, type Json, type JsonNumber, jsonNumber, magnitudeOf } from "#lib/json.ts";
import { pythonRepr, pythonStrip, pythonType } from "./python-text.ts";

const INTEGER = /^[+-]?\d+(?:_\d+)*$/;
const FLOAT =
  /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/;
const DIGIT = /^\p{Nd}$/u;

/** Python reads the digits of every script. In Unicode, a script's digits follow its zero. */
const asciiDigits = (text: string): string =>
  text.replace(/[^\p{ASCII}]/gu, (character) => {
    if (!DIGIT.test(character)) return character;
    const point = character.codePointAt(0) ?? 0;
    let run = 0;
    while (DIGIT.test(String.fromCodePoint(point - run - 1))) run += 1;
    return String(run % 10);
  });

export const integerFromText = (text: string): JsonNumber | null => {
  const digits = asciiDigits(pythonStrip(text));
  return INTEGER.test(digits) ? jsonNumber(digits.replaceAll("_", "")) : null;
};

export const numberFromText = (text: string): JsonNumber | null => {
  const digits = asciiDigits(pythonStrip(text));
  return FLOAT.test(digits) ? jsonNumber(digits.replaceAll("_", "")) : null;
};

/** What Python accepts as a number. JSON has no infinity, so these values are texts (ADR 30). */
export type PythonNumber = JsonNumber | boolean | "inf" | "-inf" | "nan";

const BEYOND_JSON = /^([+-]?)(?:inf(?:inity)?|(nan))$/i;

const pythonNumberFromText = (text: string): PythonNumber | null => {
  const number = numberFromText(text);
  if (number !== null) return number;
  const digits = asciiDigits(pythonStrip(text));
  const [, sign = "", notANumber] = BEYOND_JSON.exec(digits) ?? [];
  if (notANumber !== undefined) return "nan";
  if (!BEYOND_JSON.test(digits) && !FLOAT.test(digits)) return null;
  return sign === "-" || digits.startsWith("-") ? "-inf" : "inf";
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
