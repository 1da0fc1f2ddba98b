import { CONTROL_CHARACTERS } from "#lib/pattern/escapes.ts";
import { YaqlError } from "./errors.ts";
import type { Literal } from "./syntax.ts";

export interface Token {
  readonly kind: "literal" | "keyword" | "function" | "variable" | "sign" | "end";
  /** The name or the sign. For a literal, the text that errors show. */
  readonly text: string;
  readonly value: Literal;
  readonly position: number;
}

const SPACE = /[ \t\r\n]*/uy;
const VARIABLE = /\$[\p{L}\p{N}_]*/uy;
const WORD = /(?:(?!__)[\p{L}_][\p{L}\p{N}_]*)/uy;
const NUMBER = /\p{Nd}+(?:\.\p{Nd}+)?(?![\p{L}\p{N}_])/uy;
const QUOTED = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/uy;
const SIGN = /\?\.|=~|!~|>=|<=|!=|=>|->|[.+\-*/><=[{()\],}]/uy;

const WORD_SIGNS: ReadonlySet<string> = new Set(["mod", "in", "not", "and", "or"]);
const CONSTANTS: ReadonlyMap<string, { readonly value: Literal; readonly shown: string }> = new Map(
  [
    ["true", { value: true, shown: "True" }],
    ["false", { value: false, shown: "False" }],
    ["null", { value: null, shown: "None" }],
  ],
);

const ESCAPE =
  /\\(?:U([0-9A-Fa-f]{8})|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|([0-7]{1,3})|([\\'"abfnrtv]))/gu;
const CODE_POINT_MAX = 0x10_ff_ff;

const unescaped = (text: string, position: number): string =>
  text.replace(ESCAPE, (_, long, short, byte, octal, letter: string | undefined) => {
    if (letter !== undefined) return CONTROL_CHARACTERS[letter] ?? letter;
    const hex: string | undefined = long ?? short ?? byte;
    const point = hex === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16);
    if (point <= CODE_POINT_MAX) return String.fromCodePoint(point);
    throw new YaqlError("syntax", `Lexical error: illegal character '\\' at position ${position}`);
  });

const textOf = (quoted: string, position: number): string => {
  const inner = quoted.slice(1, -1);
  return quoted.startsWith("`") ? inner.replaceAll("\\`", "`") : unescaped(inner, position);
};

export const tokenAt = (expression: string, from: number): Token & { readonly end: number } => {
  const read = (pattern: RegExp, at: number): string => {
    pattern.lastIndex = at;
    return pattern.exec(expression)?.[0] ?? "";
  };
  const position = from + read(SPACE, from).length;
  const base = { value: null, position };
  if (position >= expression.length) return { ...base, kind: "end", text: "", end: position };
  const variable = read(VARIABLE, position);
  if (variable !== "") {
    return { ...base, kind: "variable", text: variable, end: position + variable.length };
  }
  const number = read(NUMBER, position);
  if (number !== "") return { ...numberToken(number, position), end: position + number.length };
  const word = read(WORD, position);
  const afterWord = position + word.length;
  if (word !== "" && expression.charAt(afterWord) === "(") {
    return { ...base, kind: "function", text: word, end: afterWord + 1 };
  }
  if (word !== "") return { ...wordToken(word, position), end: afterWord };
  const quoted = read(QUOTED, position);
  if (quoted !== "") {
    const value = textOf(quoted, position);
    return { kind: "literal", text: value, value, position, end: position + quoted.length };
  }
  const sign = read(SIGN, position);
  if (sign !== "") return { ...base, kind: "sign", text: sign, end: position + sign.length };
  const character = String.fromCodePoint(expression.codePointAt(position) ?? 0);
  throw new YaqlError(
    "syntax",
    `Lexical error: illegal character '${character}' at position ${position}`,
  );
};

const numberToken = (text: string, position: number): Token => {
  const value = /^[0-9]+$/.test(text) ? BigInt(text) : Number(text);
  return { kind: "literal", text: String(value), value, position };
};

const wordToken = (word: string, position: number): Token => {
  if (WORD_SIGNS.has(word)) return { kind: "sign", text: word, value: null, position };
  const constant = CONSTANTS.get(word);
  if (constant === undefined) return { kind: "keyword", text: word, value: word, position };
  return { kind: "literal", text: constant.shown, value: constant.value, position };
};
