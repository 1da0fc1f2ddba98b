/**
 * Reads JSON of unknown shape without a library, because the agent has no dependencies. Numbers
 * keep their text: JavaScript would turn 1.0 into 1 and change long integers. Keys keep their
 * order: JavaScript would move "2" to the front. Both are marked before JSON.parse, and `jsonText`
 * removes the marks.
 */
import { randomUUID } from "node:crypto";

export type Fields = Readonly<Record<string, unknown>>;

const MARK = randomUUID();
const KEY_MARK = randomUUID();

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

const SCALAR = /"[^"\\]*(?:\\.[^"\\]*)*"(?:[ \t\r\n]*:)?|-?\d[\d.eE+-]*/g;
const KEY_OF_DIGITS = /^"(?=(?:\d|\\u003\d)+"[ \t\r\n]*:)/;

const marked = (scalar: string): string => {
  if (scalar.startsWith('"')) return scalar.replace(KEY_OF_DIGITS, `"${KEY_MARK}`);
  return String(Number(scalar)) === scalar ? scalar : JSON.stringify(MARK + scalar);
};

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

export const jsonText = (value: unknown): string => {
  const text = JSON.stringify(value).replaceAll(KEY_MARK, "");
  return text.includes(MARK) ? text.replace(MARKED, "$1") : text;
};

export const textOf = (fields: Fields, key: string, fallback = ""): string => {
  const value = fields[key];
  return typeof value === "string" ? value : fallback;
};

export const listOf = (fields: Fields, key: string): readonly unknown[] => {
  const value = fields[key];
  return Array.isArray(value) ? value : [];
};

export const parseFields = (text: string): Fields | null => {
  try {
    const value = parseJson(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
};

/**
 * An error code such as ECONNREFUSED. Messages may contain URLs and input values, so they are not
 * logged.
 */
export const failureCode = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause instanceof Error ? failureCode(error.cause) : error.name;
};
