/**
 * Python's regular expressions. RE2 runs those that it can, in time proportional to the text. All
 * others run on a backtracking machine, within a limit of steps.
 */
import { RE2JS, RE2JSException } from "re2js";
import { type Flags, NO_FLAGS } from "./flags.ts";
import { spanOf } from "./instructions.ts";
import { Machine, type StepBudget } from "./machine.ts";
import { type ParsedPattern, parsePattern } from "./parser.ts";
import { compileProgram, type Program } from "./program.ts";
import { kindOf, re2Text, type TextKind } from "./re2-text.ts";

/** In UTF-16 units, or null for a group that did not take part. */
export type Span = readonly [start: number, end: number] | null;

export interface Found {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly Span[];
}

/** Limits RE2's instructions times the text's characters. More would take too long. */
const RE2_WORK_MAX = 3_000_000;
const RE2_WORK_A_STEP = 10;
const RE2_SIZE_MAX = 20_000;
const STEPS_A_RE2_INSTRUCTION = 5;

interface Re2Plan {
  readonly compiled: RE2JS;
  readonly steps: number;
}

export class Pattern {
  readonly source: string;
  readonly parsed: ParsedPattern;
  #program: Program | null = null;
  readonly #compiled = new Map<string, RE2JS | null>();
  readonly #written = new Map<string, ReturnType<typeof re2Text>>();

  constructor(source: string, flags: Flags = NO_FLAGS) {
    this.source = source;
    this.parsed = parsePattern(source, flags);
  }

  get program(): Program {
    this.#program ??= compileProgram(this.parsed);
    return this.#program;
  }

  /** @returns null when RE2 would differ from Python, or would take too long */
  planFor(text: string): Re2Plan | null {
    const written = text.isWellFormed() ? this.#writtenFor(kindOf(text)) : null;
    if (written === null || written.size > RE2_SIZE_MAX) return null;
    const work = written.size * (text.length + 1);
    if (work > RE2_WORK_MAX) return null;
    const known = this.#compiled.get(written.text);
    const compiling = known === undefined ? written.size * STEPS_A_RE2_INSTRUCTION : 0;
    const compiled = known === undefined ? compileRe2(written.text) : known;
    this.#compiled.set(written.text, compiled);
    return compiled === null ? null : { compiled, steps: compiling + work / RE2_WORK_A_STEP };
  }

  #writtenFor(kind: TextKind): ReturnType<typeof re2Text> {
    const key = JSON.stringify(kind);
    const known = this.#written.get(key);
    if (known !== undefined) return known;
    const written = re2Text(this.parsed.body, kind);
    this.#written.set(key, written);
    return written;
  }
}

const compileRe2 = (text: string): RE2JS | null => {
  try {
    return RE2JS.compile(text, RE2JS.LOOKBEHINDS);
  } catch (failure) {
    // RE2 limits repetitions and groups.
    if (failure instanceof RE2JSException) return null;
    throw failure;
  }
};

interface Stepwise {
  readonly machine: Machine;
  readonly characters: Characters;
}

/** All searches in one text. They throw PatternLimitError when the steps are used up. */
export class Search {
  readonly #pattern: Pattern;
  readonly #text: string;
  readonly #budget: StepBudget;
  readonly #re2: RE2JS | null;
  #made: Stepwise | null = null;

  constructor(pattern: Pattern, text: string, budget: StepBudget) {
    this.#pattern = pattern;
    this.#text = text;
    this.#budget = budget;
    const plan = pattern.planFor(text);
    this.#re2 = plan?.compiled ?? null;
    budget.spend(plan?.steps ?? 0);
  }

  get #stepwise(): Stepwise {
    if (this.#made === null) {
      const characters = new Characters(this.#text);
      const machine = new Machine(this.#pattern.program, characters.codes, this.#budget);
      this.#made = { machine, characters };
    }
    return this.#made;
  }

  matchAtStart(): number | null {
    if (this.#re2 !== null) {
      const matcher = this.#re2.matcher(this.#text);
      return matcher.lookingAt() ? matcher.end() : null;
    }
    const { machine, characters } = this.#stepwise;
    return machine.match() ? characters.unitAt(machine.at) : null;
  }

  /** The first match from `from` on. With `mustAdvance`, a match at `from` is not empty. */
  find(from: number, mustAdvance: boolean): Found | null {
    if (this.#re2 !== null && !mustAdvance) return this.#findLinear(this.#re2, from);
    const { machine, characters } = this.#stepwise;
    const start = machine.search(characters.countBefore(from), mustAdvance);
    if (start < 0) return null;
    const groups = this.#groups((number) => {
      const span = spanOf(machine, number);
      return span === null ? null : [characters.unitAt(span[0]), characters.unitAt(span[1])];
    });
    return { start: characters.unitAt(start), end: characters.unitAt(machine.at), groups };
  }

  #findLinear(re2: RE2JS, from: number): Found | null {
    const matcher = re2.matcher(this.#text);
    if (!matcher.find(from)) return null;
    const groups = this.#groups((number) => {
      const start = matcher.start(number);
      return start < 0 ? null : [start, matcher.end(number)];
    });
    return { start: matcher.start(0), end: matcher.end(0), groups };
  }

  #groups(spanFor: (number: number) => Span): readonly Span[] {
    const { groupCount } = this.#pattern.parsed;
    return Array.from({ length: groupCount }, (_, index) => spanFor(index + 1));
  }
}

export class Characters {
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

  unitAt(character: number): number {
    return this.#units === null ? character : (this.#units[character] ?? 0);
  }

  countBefore(unit: number): number {
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
