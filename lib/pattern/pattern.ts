/**
 * Python's regular expressions. RE2 runs those that it can: it takes time in proportion to the
 * text. The others run on a machine that tries one way after the other, within a limit of steps.
 */
import { RE2JS, RE2JSException } from "re2js";
import { type Flags, NO_FLAGS } from "./flags.ts";
import { spanOf } from "./instructions.ts";
import { Machine } from "./machine.ts";
import { type ParsedPattern, parsePattern } from "./parser.ts";
import { compileProgram, type Program } from "./program.ts";
import { kindOf, re2Text } from "./re2-text.ts";

/** In JavaScript's units; null: the group took no part. */
export type Span = readonly [start: number, end: number] | null;

export interface Found {
  readonly start: number;
  readonly end: number;
  /** By number, without the whole match. */
  readonly groups: readonly Span[];
}

/** RE2's instructions times the text's characters: more would take too long. */
const RE2_WORK_MAX = 10_000_000;
const RE2_SIZE_MAX = 20_000;

export class Pattern {
  readonly source: string;
  readonly parsed: ParsedPattern;
  #program: Program | null = null;
  readonly #compiled = new Map<string, RE2JS | null>();

  /** Throws PatternError. */
  constructor(source: string, flags: Flags = NO_FLAGS) {
    this.source = source;
    this.parsed = parsePattern(source, flags);
  }

  get program(): Program {
    this.#program ??= compileProgram(this.parsed);
    return this.#program;
  }

  /** Null: RE2 cannot do this as Python does, or not soon enough. */
  re2For(text: string): RE2JS | null {
    const written = text.isWellFormed() ? re2Text(this.parsed.body, kindOf(text)) : null;
    if (written === null || written.size > RE2_SIZE_MAX) return null;
    if (written.size * text.length > RE2_WORK_MAX) return null;
    const known = this.#compiled.get(written.text);
    const compiled = known === undefined ? compileRe2(written.text) : known;
    this.#compiled.set(written.text, compiled);
    return compiled;
  }
}

const compileRe2 = (text: string): RE2JS | null => {
  try {
    return RE2JS.compile(text, RE2JS.LOOKBEHINDS);
  } catch (failure) {
    // It has limits on repetitions and groups.
    if (failure instanceof RE2JSException) return null;
    throw failure;
  }
};

/** The code points of a text, and where each of them begins in JavaScript's units. */
class Characters {
  readonly codes: Int32Array;
  readonly #units: Int32Array | null;

  constructor(text: string) {
    const codes = new Int32Array(text.length);
    const units = new Int32Array(text.length + 1);
    let count = 0;
    let unit = 0;
    for (const character of text) {
      codes[count] = character.codePointAt(0) ?? 0;
      units[count] = unit;
      unit += character.length;
      count += 1;
    }
    units[count] = unit;
    this.codes = codes.subarray(0, count);
    this.#units = count === text.length ? null : units.subarray(0, count + 1);
  }

  unitOf(character: number): number {
    return this.#units === null ? character : (this.#units[character] ?? 0);
  }

  characterAt(unit: number): number {
    if (this.#units === null) return unit;
    let [low, high] = [0, this.#units.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#units[middle] ?? 0) < unit) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** All searches in one text. They share the limit of steps, and throw PatternLimitError. */
export class Search {
  readonly #pattern: Pattern;
  readonly #text: string;
  #re2: RE2JS | null | undefined;
  #slow: { readonly machine: Machine; readonly characters: Characters } | null = null;

  constructor(pattern: Pattern, text: string) {
    this.#pattern = pattern;
    this.#text = text;
  }

  get #linear(): RE2JS | null {
    this.#re2 ??= this.#pattern.re2For(this.#text);
    return this.#re2;
  }

  get #stepwise(): { readonly machine: Machine; readonly characters: Characters } {
    if (this.#slow === null) {
      const characters = new Characters(this.#text);
      const machine = new Machine(this.#pattern.program, characters.codes);
      this.#slow = { machine, characters };
    }
    return this.#slow;
  }

  /** The steps that were taken so far. RE2 takes none. */
  get steps(): number {
    return Math.ceil(this.#slow?.machine.steps ?? 0);
  }

  /** Python's match(): where a match at the start of the text ends; null: there is none. */
  matchAtStart(): number | null {
    const re2 = this.#linear;
    if (re2 !== null) {
      const matcher = re2.matcher(this.#text);
      return matcher.lookingAt() ? matcher.end() : null;
    }
    const { machine, characters } = this.#stepwise;
    return machine.match(0) ? characters.unitOf(machine.at) : null;
  }

  /** The first match at this place or after it. `mustAdvance`: one at this place takes some. */
  find(from: number, mustAdvance: boolean): Found | null {
    const re2 = this.#linear;
    if (re2 !== null && !mustAdvance) return this.#findLinear(re2, from);
    const { machine, characters } = this.#stepwise;
    const start = machine.search(characters.characterAt(from), mustAdvance);
    if (start < 0) return null;
    const place = (at: number): number => characters.unitOf(at);
    const groups = Array.from({ length: this.#pattern.parsed.groupCount }, (_, index): Span => {
      const span = spanOf(machine, index + 1);
      return span === null ? null : [place(span[0]), place(span[1])];
    });
    return { start: place(start), end: place(machine.at), groups };
  }

  #findLinear(re2: RE2JS, from: number): Found | null {
    const matcher = re2.matcher(this.#text);
    if (!matcher.find(from)) return null;
    const groups = Array.from({ length: this.#pattern.parsed.groupCount }, (_, index): Span => {
      const start = matcher.start(index + 1);
      return start < 0 ? null : [start, matcher.end(index + 1)];
    });
    return { start: matcher.start(0), end: matcher.end(0), groups };
  }
}
