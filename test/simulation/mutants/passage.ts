/** Finds the passage of a source that an edit names, however the source is formatted today. */

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Passage {
  readonly start: number;
  readonly end: number;
}

const TOKEN =
  /\/\/.*|\/\*[\s\S]*?\*\/|`(?:[^`\\]|\\[\s\S])*`|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\w$]+|[^\s\w$]/g;
const COMMENT = /^\/[/*]/;
const CLOSING = [")", "]", "}"];

/** A formatter adds a comma after the last of several lines, so such a comma does not count. */
const tokensOf = (source: string): readonly Token[] => {
  const tokens = [...source.matchAll(TOKEN)].flatMap(({ 0: text, index: start }) =>
    COMMENT.test(text) ? [] : [{ text, start, end: start + text.length }],
  );
  return tokens.filter(
    ({ text }, at) => text !== "," || !CLOSING.includes(tokens[at + 1]?.text ?? ""),
  );
};

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
