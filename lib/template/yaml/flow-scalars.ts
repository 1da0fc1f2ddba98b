import { pythonRepr } from "../python-text.ts";
import {
  type Context,
  isBlankOrEnd,
  isBreak,
  isHexadecimal,
  isSpace,
  isTab,
  type Source,
} from "./source.ts";

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

const BLANKS = /[ \t]*/y;
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

interface PlainScalarOptions {
  readonly isInFlow: boolean;
  readonly indent: number;
  /** libyaml accepts tabs between words, and question marks in flow collections. */
  readonly isLibyaml: boolean;
}

const SAFE_RUN = /[^\s:,?[\]{}\x85\ufeff]+/y;
const FLOW_ENDS = ",[]{}";

const isEndOfWord = (source: Source, options: PlainScalarOptions): boolean => {
  const code = source.code();
  if (isBlankOrEnd(code)) return true;
  const character = String.fromCharCode(code);
  const { isInFlow, isLibyaml } = options;
  if (character !== ":") {
    return isInFlow && (FLOW_ENDS.includes(character) || (character === "?" && !isLibyaml));
  }
  if (isBlankOrEnd(source.code(1))) return true;
  if (!isInFlow || !FLOW_ENDS.includes(source.character(1))) return false;
  if (!isLibyaml) return true;
  throw source.problem(null, "found unexpected ':'");
};

const takeWord = (source: Source, options: PlainScalarOptions): string => {
  const begun = source.at;
  while (!isEndOfWord(source, options)) {
    if (source.takeWhile(SAFE_RUN) === "") source.skip();
  }
  return source.text.slice(begun, source.at);
};

interface Gap {
  readonly text: string;
  readonly isLast: boolean;
  readonly hasBreak: boolean;
}

const skipIndentation = (source: Source, { indent, isLibyaml }: PlainScalarOptions): void => {
  while (isSpace(source.code()) || (isLibyaml && isTab(source.code()))) {
    if (isTab(source.code()) && source.column < indent) {
      throw source.problem(null, "found a tab character that violates indentation");
    }
    source.skip();
  }
};

/** A single line break becomes a space. If more follow, only those are kept. */
const takeGap = (source: Source, options: PlainScalarOptions): Gap => {
  const blanks = source.takeWhile(options.isLibyaml ? BLANKS : SPACES);
  if (!isBreak(source.code())) return { text: blanks, isLast: blanks === "", hasBreak: false };
  const first = source.takeBreak();
  let further = "";
  for (;;) {
    if (isDocumentSeparator(source)) return { text: "", isLast: true, hasBreak: true };
    skipIndentation(source, options);
    if (!isBreak(source.code())) break;
    further += source.takeBreak();
  }
  const folded = further === "" ? " " : further;
  return { text: first === "\n" ? folded : first + further, isLast: false, hasBreak: true };
};

const SPACES = / */y;

interface PlainScalar {
  readonly value: string;
  readonly end: number;
  readonly endedAtLine: boolean;
}

export const takePlain = (source: Source, options: PlainScalarOptions): PlainScalar => {
  let value = "";
  let gap: Gap = { text: "", isLast: false, hasBreak: false };
  let end = source.at;
  while (!gap.isLast && source.character() !== "#") {
    const word = takeWord(source, options);
    if (word === "") break;
    value += gap.text + word;
    end = source.at;
    gap = takeGap(source, options);
    if (!options.isInFlow && source.column < options.indent) break;
  }
  return { value, end, endedAtLine: gap.hasBreak };
};
