/** The texts that Python's int() and float() read. They come back in ASCII, without underscores. */
import { stripNumber } from "./spaces.ts";

const INTEGER = /^[+-]?\d+(?:_\d+)*$/;
const DECIMAL =
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

const plainText = (text: string): string => asciiDigits(stripNumber(text));

/** Null: int() refuses the text. */
export const integerText = (text: string): string | null => {
  const digits = plainText(text);
  return INTEGER.test(digits) ? digits.replaceAll("_", "") : null;
};

/** Of an integer or a float. Null for any other text, also for those that are no finite number. */
export const decimalText = (text: string): string | null => {
  const digits = plainText(text);
  return DECIMAL.test(digits) ? digits.replaceAll("_", "") : null;
};

const NOT_FINITE = /^([+-]?)(?:inf(?:inity)?|(nan))$/i;

/** As Python prints it. Null: the text is none of these. */
export const notFinite = (text: string): "inf" | "-inf" | "nan" | null => {
  const found = NOT_FINITE.exec(plainText(text));
  if (found === null) return null;
  const [, sign, notANumber] = found;
  if (notANumber !== undefined) return "nan";
  return sign === "-" ? "-inf" : "inf";
};
