/** Python's int() and float() of text. Null for wrong text and for numbers that JSON lacks. */

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

export const integerFromText = (text: string): number | null => {
  const digits = asciiDigits(text.trim());
  return INTEGER.test(digits) ? Number(digits.replaceAll("_", "")) : null;
};

export const numberFromText = (text: string): number | null => {
  const digits = asciiDigits(text.trim());
  const value = FLOAT.test(digits) ? Number(digits.replaceAll("_", "")) : Number.NaN;
  return Number.isFinite(value) ? value : null;
};
