/**
 * Reads JSON of unknown shape without a library, because the agent has no dependencies. It passes
 * numbers on as they are written: JavaScript would make 1 of 1.0, and change long integers. It also
 * keeps the order of keys, though JavaScript would move "2" to the front.
 */
import { randomUUID } from "node:crypto";

export type Fields = Readonly<Record<string, unknown>>;

/** Stands before a number in a text that JSON's own functions see. No value holds it. */
const MARK = randomUUID();
/** Stands before a key of digits, until `jsonText` writes it. No key holds it. */
const KEY_MARK = randomUUID();

/** A number that JavaScript would write in another way. */
class WrittenNumber {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  toJSON(): string {
    return MARK + this.#text;
  }
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof WrittenNumber);

/** A key with its colon, a text or a number, in valid JSON. */
const SCALAR = /"[^"\\]*(?:\\.[^"\\]*)*"(?:[ \t\r\n]*:)?|-?\d[\d.eE+-]*/g;
const KEY_OF_DIGITS = /^"(?=(?:\d|\\u003\d)+"[ \t\r\n]*:)/;

const marked = (scalar: string): string => {
  if (scalar.startsWith('"')) return scalar.replace(KEY_OF_DIGITS, `"${KEY_MARK}`);
  return String(Number(scalar)) === scalar ? scalar : JSON.stringify(MARK + scalar);
};

/** Throws SyntaxError. */
const parseJson = (text: string): unknown => {
  const plain: unknown = JSON.parse(text);
  const withMarks = text.replace(SCALAR, marked);
  if (withMarks === text) return plain;
  return JSON.parse(withMarks, (_, value: unknown) =>
    typeof value === "string" && value.startsWith(MARK)
      ? new WrittenNumber(value.slice(MARK.length))
      : value,
  );
};

const MARKED = new RegExp(`"${MARK}([^"]*)"`, "g");

/** JSON with the numbers and the keys as they were read. */
export const jsonText = (value: unknown): string => {
  const text = JSON.stringify(value).replaceAll(KEY_MARK, "");
  return text.includes(MARK) ? text.replace(MARKED, "$1") : text;
};

/** A text member, or the fallback if it is absent or not a text. */
export const textOf = (fields: Fields, key: string, fallback = ""): string => {
  const value = fields[key];
  return typeof value === "string" ? value : fallback;
};

export const listOf = (fields: Fields, key: string): readonly unknown[] => {
  const value = fields[key];
  return Array.isArray(value) ? value : [];
};

/** Null for anything but a JSON object, also for malformed text. */
export const parseFields = (text: string): Fields | null => {
  try {
    const value = parseJson(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
};

/** An error code such as ECONNREFUSED. Messages can hold URLs and input values, so we log none. */
export const failureCode = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause instanceof Error ? failureCode(error.cause) : error.name;
};
