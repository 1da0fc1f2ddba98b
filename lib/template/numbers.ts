/** Python's int() and float() of text. Null for wrong text and for numbers that JSON lacks. */
import { type JsonNumber, jsonNumber } from "#lib/json.ts";

const INTEGER = /^[+-]?\d+(?:_\d+)*$/;
const FLOAT =
  /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/;
const DIGIT = /^\p{Nd}$/u;

/** Python reads the digits of every script. In Unicode a script's digits follow its zero. */
const asciiDigits = (text: string): string =>
  text.replace(/[^\p{ASCII}]/gu, (character) => {
    if (!DIGIT.test(character)) return character;
    const point = character.codePointAt(0) ?? 0;
    let run = 0;
    while (DIGIT.test(String.fromCodePoint(point - run - 1))) run += 1;
    return String(run % 10);
  });

export const integerFromText = (text: string): JsonNumber | null => {
  const digits = asciiDigits(text.trim());
  return INTEGER.test(digits) ? jsonNumber(digits.replaceAll("_", "")) : null;
};

/** An integer if the text is one, as Heat reads a number. */
export const numberFromText = (text: string): JsonNumber | null => {
  const digits = asciiDigits(text.trim());
  return FLOAT.test(digits) ? jsonNumber(digits.replaceAll("_", "")) : null;
};
