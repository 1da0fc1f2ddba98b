/**
 * Writes a pattern for RE2, which takes time proportional to the text. A pattern is written only if
 * RE2 does exactly what Python does with texts of this kind.
 */
import {
  ASCII_LAST,
  CHARACTER_LAST,
  type CharacterSet,
  joinRanges,
  otherCasesOf,
  pairsOf,
  type Ranges,
} from "./characters.ts";
import { type Place, partsOf, REPETITIONS_MAX, type Tree, type Width } from "./tree.ts";

export interface TextKind {
  /** RE2's `\b` knows only ASCII words. */
  readonly isAscii: boolean;
  /** Python finds no `\B` in an empty text. */
  readonly isEmpty: boolean;
  /** Python's `$` also matches before a newline that ends the text. */
  readonly endsWithNewline: boolean;
}

export interface Re2Text {
  readonly text: string;
  /** About how many instructions RE2 makes. It may run all of them for each character. */
  readonly size: number;
}

const hex = (code: number): string => `\\x{${code.toString(16)}}`;

const REPEATS_MAX = 1_000;
/** The most characters of a set whose other cases are written out. */
const FOLDED_MAX = 1_024;
const RANGES_MAX = 10_000;
const PARTS_MAX = 2_000;
const EVERYTHING = `[${hex(0)}-${hex(CHARACTER_LAST)}]`;
const NOTHING = `[^${hex(0)}-${hex(CHARACTER_LAST)}]`;

class NotInRe2 extends Error {
  override readonly name = "NotInRe2";
}

const written = (ranges: Ranges): string =>
  pairsOf(ranges)
    .map(([first, last]) => (first === last ? hex(first) : `${hex(first)}-${hex(last)}`))
    .join("");

const folded = ({ ranges, folding }: CharacterSet): Ranges => {
  if (folding === "none") return ranges;
  const pairs: (readonly [number, number])[] = [];
  let count = 0;
  for (const [first, last] of pairsOf(ranges)) {
    pairs.push([first, last]);
    count += last - first + 1;
    if (count > FOLDED_MAX) throw new NotInRe2();
    for (let code = first; code <= last; code += 1) {
      for (const other of otherCasesOf(code, folding)) pairs.push([other, other]);
    }
  }
  return joinRanges(pairs);
};

/** RE2's lookbehind must not contain groups. */
const holdsGroup = (part: Tree): boolean =>
  part.kind === "group" || partsOf(part).some((inner) => holdsGroup(inner));

class Writer {
  readonly #kind: TextKind;
  #ranges = 0;
  #parts = 0;

  constructor(kind: TextKind) {
    this.#kind = kind;
  }

  write(part: Tree): Re2Text {
    this.#parts += 1;
    if (this.#parts > PARTS_MAX) throw new NotInRe2();
    switch (part.kind) {
      case "character":
        return { text: this.#set(part.set), size: 1 };
      case "place":
        return { text: this.#place(part.place, part.isAscii), size: 1 };
      case "sequence":
        return this.#joined(part.items, "");
      case "choice":
        return this.#joined(part.options, "|");
      case "group":
        return this.#wrapped("(", part.body);
      case "repeat":
        return this.#repeat(part.times, part.greed === "lazy" ? "?" : "", part);
      case "look":
        if (!part.isBehind || holdsGroup(part.body)) throw new NotInRe2();
        return this.#wrapped(part.isWanted ? "(?<=" : "(?<!", part.body);
      default:
        throw new NotInRe2();
    }
  }

  #wrapped(opening: string, body: Tree): Re2Text {
    const { text, size } = this.write(body);
    return { text: `${opening}${text})`, size: size + 2 };
  }

  #joined(parts: readonly Tree[], separator: string): Re2Text {
    const all = parts.map((part) => this.write(part));
    const size = all.reduce((sum, one) => sum + one.size, parts.length);
    return { text: `(?:${all.map(({ text }) => text).join(separator)})`, size };
  }

  #repeat(times: Width, lazy: string, part: Extract<Tree, { kind: "repeat" }>): Re2Text {
    const { min, max } = times;
    const hasEnd = max !== REPETITIONS_MAX;
    const most = hasEnd ? max : min;
    // Python and RE2 end a loop over an empty match in different ways.
    const isOdd = part.greed === "possessive" || part.body.width.min === 0;
    if (isOdd || most > REPEATS_MAX) throw new NotInRe2();
    const { text, size } = this.#wrapped("(?:", part.body);
    const end = hasEnd ? max : "";
    return { text: `${text}{${min},${end}}${lazy}`, size: size * Math.max(most, 1) + 1 };
  }

  #set(set: CharacterSet): string {
    const members = [...this.#pairsOf(folded(set)), ...this.#pairsOf(set.categories)];
    const ranges = joinRanges(members);
    this.#ranges += ranges.length / 2;
    if (this.#ranges > RANGES_MAX) throw new NotInRe2();
    // RE2 has no empty set.
    if (ranges.length === 0) return set.isNegated ? EVERYTHING : NOTHING;
    return `[${set.isNegated ? "^" : ""}${written(ranges)}]`;
  }

  /** For an ASCII text, only the first of a category's many ranges are needed. */
  #pairsOf(ranges: Ranges): readonly (readonly [number, number])[] {
    if (!this.#kind.isAscii) return pairsOf(ranges);
    const end = ranges.findIndex((code, at) => at % 2 === 0 && code > ASCII_LAST);
    return pairsOf(end < 0 ? ranges : ranges.slice(0, end));
  }

  #place(at: Place, isAscii: boolean): string {
    const kind = this.#kind;
    switch (at) {
      case "text_start":
        return "\\A";
      case "line_start":
        return "(?m:^)";
      case "text_end":
        return "\\z";
      case "line_end":
        return "(?m:$)";
      case "text_end_or_newline":
        if (kind.endsWithNewline) throw new NotInRe2();
        return "\\z";
      case "word_edge":
        if (!isAscii && !kind.isAscii) throw new NotInRe2();
        return "\\b";
      case "no_word_edge":
        if (kind.isEmpty || (!isAscii && !kind.isAscii)) throw new NotInRe2();
        return "\\B";
    }
  }
}

export const re2Text = (body: Tree, kind: TextKind): Re2Text | null => {
  try {
    return new Writer(kind).write(body);
  } catch (failure) {
    if (failure instanceof NotInRe2) return null;
    throw failure;
  }
};

export const kindOf = (text: string): TextKind => ({
  isAscii: !/\P{ASCII}/u.test(text),
  isEmpty: text === "",
  endsWithNewline: text.endsWith("\n"),
});
