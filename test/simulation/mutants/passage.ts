/** Finds the passage of a source that an edit names, whatever its layout is today. */
import ts from "typescript";

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Passage {
  readonly start: number;
  readonly end: number;
}

const CLOSING = [")", "]", "}"];

/** A formatter adds a comma after the last of several lines, so such a comma does not count. */
const tokensOf = (text: string): readonly Token[] => {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, text);
  const tokens: Token[] = [];
  while (scanner.scan() !== ts.SyntaxKind.EndOfFileToken) {
    tokens.push({
      text: scanner.getTokenText(),
      start: scanner.getTokenStart(),
      end: scanner.getTokenEnd(),
    });
  }
  return tokens.filter(
    ({ text: token }, at) => token !== "," || !CLOSING.includes(tokens[at + 1]?.text ?? ""),
  );
};

/** @returns null when the source has no such passage. */
export const passageOf = (source: string, wanted: string): Passage | null => {
  const start = source.indexOf(wanted);
  if (start >= 0) return { start, end: start + wanted.length };
  const tokens = tokensOf(source);
  const parts = tokensOf(wanted);
  const at = tokens.findIndex((_, from) =>
    parts.every(({ text }, part) => tokens[from + part]?.text === text),
  );
  const [first, last] = [tokens[at], tokens[at + parts.length - 1]];
  return first === undefined || last === undefined ? null : { start: first.start, end: last.end };
};
