/**
 * allowed_pattern: Python's regular expressions on RE2, which takes linear time. In an engine that
 * backtracks, such as JavaScript's, `(a+)+$` and thirty letters would stop the host.
 */
import { RE2JS, RE2JSException } from "re2js";

const SYNTAX = new Set("^$\\.*+?()[]{}|/");
/** Python's classes cover all of Unicode. */
const CLASSES: Readonly<Record<string, string>> = {
  w: "\\p{L}\\p{N}_",
  d: "\\p{Nd}",
  s: "\\s\\v\\p{Z}",
};
const CODE_POINT = /^(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))/;

/** What a backslash and the text after it become, and how long that text is. */
const escaped = (
  rest: string,
  inSet: boolean,
): { readonly text: string; readonly read: number } => {
  const character = rest.charAt(0);
  const [all = "", short, long] = CODE_POINT.exec(rest) ?? [];
  if (all !== "") return { text: `\\x{${short ?? long}}`, read: all.length };
  return { text: escapedCharacter(character, inSet), read: 1 };
};

const escapedCharacter = (character: string, inSet: boolean): string => {
  const lower = character.toLowerCase();
  const members = Object.hasOwn(CLASSES, lower) ? CLASSES[lower] : undefined;
  if (members !== undefined && character === lower) return inSet ? members : `[${members}]`;
  if (members !== undefined && !inSet) return `[^${members}]`;
  if (character === "Z") return "\\z";
  if (/[A-Za-z0-9]/.test(character) || SYNTAX.has(character)) return `\\${character}`;
  return character === "-" && inSet ? "\\-" : character;
};

interface PatternPiece {
  /** In RE2's syntax. */
  readonly text: string;
  /** The groups that are open after it, and whether a set is open. */
  readonly depth: number;
  /** Null for a literal: in a set, or escaped. */
  readonly syntax: string | null;
}

/** The pieces of a pattern with their positions. */
const piecesOf = (pattern: string): readonly PatternPiece[] => {
  const pieces: PatternPiece[] = [];
  let depth = 0;
  let setBegan = -1;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    const inSet = setBegan >= 0;
    if (character === "\\" && at + 1 < pattern.length) {
      const { text, read } = escaped(pattern.slice(at + 1), inSet);
      pieces.push({ text, depth, syntax: null });
      at += read;
    } else if (inSet) {
      const isFirst = /^\[\^?$/.test(pattern.slice(setBegan, at));
      if (character === "]" && !isFirst) setBegan = -1;
      const text =
        character === "[" || (character === "]" && isFirst) ? `\\${character}` : character;
      pieces.push({ text, depth, syntax: null });
    } else {
      if (character === "[") setBegan = at;
      if (character === ")") depth -= 1;
      pieces.push({ text: character, depth, syntax: character });
      if (character === "(") depth += 1;
    }
  }
  return pieces;
};

/** Python's `{,n}` means `{0,n}`. RE2 would take it as text. */
const textOf = (pieces: readonly PatternPiece[]): string =>
  pieces
    .map(({ text, syntax }, at) =>
      syntax === "{" && pieces[at + 1]?.syntax === "," ? `${text}0` : text,
    )
    .join("");

interface Ahead {
  readonly pattern: RE2JS;
  readonly wanted: boolean;
}

export interface Pattern {
  /** What must or must not follow at the start of the value. */
  readonly ahead: readonly Ahead[];
  readonly body: RE2JS;
}

const compile = (pieces: readonly PatternPiece[]): RE2JS =>
  RE2JS.compile(textOf(pieces), RE2JS.LOOKBEHINDS);

const LOOKAHEADS = ["(?=", "(?!"];

/**
 * RE2 has no lookahead. Patterns for passwords often begin with some, so each lookahead at the
 * start becomes a pattern of its own.
 */
const read = (pieces: readonly PatternPiece[]): Pattern => {
  const ahead: Ahead[] = [];
  let from = pieces[0]?.syntax === "^" ? 1 : 0;
  const opening = (): string =>
    pieces
      .slice(from, from + 3)
      .map(({ syntax }) => syntax)
      .join("");
  // With several alternatives, a lookahead belongs to only one of them.
  const hasAlternatives = pieces.some(({ syntax, depth }) => syntax === "|" && depth === 0);
  while (!hasAlternatives && LOOKAHEADS.includes(opening())) {
    const end = pieces.findIndex(
      ({ syntax, depth }, at) => at > from && syntax === ")" && depth === 0,
    );
    if (end < 0) break;
    const wanted = opening() === "(?=";
    ahead.push({ pattern: compile(pieces.slice(from + 3, end)), wanted });
    from = end + 1;
  }
  return { ahead, body: compile(ahead.length === 0 ? pieces : pieces.slice(from)) };
};

/** One pattern for searching, with RE2's flags. Throws RE2JSException if it is not supported. */
export const compileSearch = (pattern: string, flags: number): RE2JS =>
  RE2JS.compile(textOf(piecesOf(pattern)), flags | RE2JS.LOOKBEHINDS);

/** A text: why the pattern is not supported. Heat anchors patterns at the start of the value. */
export const compilePattern = (pattern: string): Pattern | string => {
  try {
    return read(piecesOf(pattern));
  } catch (failure) {
    if (failure instanceof RE2JSException) return failure.message;
    throw failure;
  }
};

/** Like Heat's re.match, which must end with the value: `a|ab` refuses "ab" after the "a". */
export const matchesWhole = (pattern: string, value: string): boolean => {
  const compiled = compilePattern(pattern);
  if (typeof compiled === "string") return false;
  const isAhead = ({ pattern: look, wanted }: Ahead) => look.matcher(value).lookingAt() === wanted;
  const matcher = compiled.body.matcher(value);
  return compiled.ahead.every(isAhead) && matcher.lookingAt() && matcher.end() === value.length;
};
