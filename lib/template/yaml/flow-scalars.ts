import { pythonRepr } from "../python-text.ts";
import { isBlankOrEnd, isBreak, isHexadecimal, isSpace, isTab } from "./characters.ts";
import type { Source } from "./source.ts";
import type { Context } from "./yaml-error.ts";

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["0", "\0"],
  ["a", "\x07"],
  ["b", "\b"],
  ["t", "\t"],
  ["\t", "\t"],
  ["n", "\n"],
  ["v", "\v"],
  ["f", "\f"],
  ["r", "\r"],
  ["e", "\x1b"],
  [" ", " "],
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["N", "\x85"],
  ["_", "\xa0"],
  ["L", "\u2028"],
  ["P", "\u2029"],
]);

const DIGITS: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);
const HEXADECIMAL = 16;
const CODE_POINT_MAX = 0x10ffff;

export const BLANKS = /[ \t]*/y;
const PLAIN_RUN = /[^'"\\ \t\r\n\x85\u2028\u2029]+/y;

export const isDocumentSeparator = (source: Source): boolean =>
  (source.startsWith("---") || source.startsWith("...")) && isBlankOrEnd(source.code(3));

const takeBreaks = (source: Source, begun: number): string => {
  let breaks = "";
  for (;;) {
    if (isDocumentSeparator(source)) {
      throw source.problem(
        { doing: "while scanning a quoted scalar", offset: begun },
        "found unexpected document separator",
      );
    }
    while (isSpace(source.code()) || isTab(source.code())) source.skip();
    if (!isBreak(source.code())) return breaks;
    breaks += source.takeBreak();
  }
};

const takeNumericEscape = (source: Source, context: Context, digits: number): string => {
  for (let at = 0; at < digits; at += 1) {
    if (isHexadecimal(source.character(at))) continue;
    const wanted = `expected escape sequence of ${digits} hexadecimal numbers`;
    throw source.unexpected(context, wanted, at);
  }
  const code = Number.parseInt(source.take(digits), HEXADECIMAL);
  if (code <= CODE_POINT_MAX) return String.fromCodePoint(code);
  throw source.problem(context, "found an escape beyond the last character of Unicode");
};

const takeEscape = (source: Source, begun: number): string => {
  const context: Context = { doing: "while scanning a double-quoted scalar", offset: begun };
  const character = source.character();
  const short = ESCAPES.get(character);
  const digits = DIGITS.get(character);
  if (short !== undefined) {
    source.skip();
    return short;
  }
  if (digits !== undefined) {
    source.skip();
    return takeNumericEscape(source, context, digits);
  }
  if (isBreak(source.code())) {
    source.takeBreak();
    return takeBreaks(source, begun);
  }
  throw source.problem(context, `found unknown escape character ${pythonRepr(character)}`);
};

const takeWords = (source: Source, isDouble: boolean, begun: number): string => {
  let words = "";
  for (;;) {
    words += source.takeWhile(PLAIN_RUN);
    const character = source.character();
    if (isDouble && character === "\\") {
      source.skip();
      words += takeEscape(source, begun);
    } else if (!isDouble && source.startsWith("''")) {
      source.skip(2);
      words += "'";
    } else if (isDouble ? character === "'" : character === '"' || character === "\\") {
      words += source.take(1);
    } else {
      return words;
    }
  }
};

/** A single line break becomes a space. If more follow, only those are kept. */
const takeBlanks = (source: Source, begun: number): string => {
  const blanks = source.takeWhile(BLANKS);
  const context: Context = { doing: "while scanning a quoted scalar", offset: begun };
  if (source.at >= source.text.length) {
    throw source.problem(context, "found unexpected end of stream");
  }
  if (!isBreak(source.code())) return blanks;
  const first = source.takeBreak();
  const further = takeBreaks(source, begun);
  if (first !== "\n") return first + further;
  return further === "" ? " " : further;
};

export const takeQuoted = (source: Source): string => {
  const begun = source.at;
  const quote = source.take(1);
  const isDouble = quote === '"';
  let value = takeWords(source, isDouble, begun);
  while (source.character() !== quote) {
    value += takeBlanks(source, begun);
    value += takeWords(source, isDouble, begun);
  }
  source.skip();
  return value;
};
