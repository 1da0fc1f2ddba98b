import { NO_FLAGS } from "#lib/pattern/flags.ts";
import { PatternLimitError, StepBudget } from "#lib/pattern/machine.ts";
import { type Found, Pattern, Search, type Span } from "#lib/pattern/pattern.ts";
import { PatternError } from "#lib/pattern/tokens.ts";
import type { Engine } from "./engine.ts";
import { valueError, YaqlError } from "./errors.ts";
import { charactersOf, Regex } from "./values.ts";

export interface PatternOptions {
  readonly ignoreCase: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
}

/** Reading this many characters of a pattern costs one step of yaql. */
const PATTERN_CHARACTERS_A_STEP = 10;

export const compileRegex = (
  { regexes, spend }: Pick<Engine, "regexes" | "spend">,
  pattern: string,
  options?: PatternOptions,
): Regex => {
  const key = JSON.stringify([pattern, options ?? null]);
  const known = regexes.get(key);
  if (known !== undefined) return known;
  spend(Math.ceil(pattern.length / PATTERN_CHARACTERS_A_STEP));
  const regex = compiled(pattern, options);
  regexes.set(key, regex);
  return regex;
};

/** Only with options does yaql also set Python's flag UNICODE. */
const compiled = (pattern: string, options?: PatternOptions): Regex => {
  const flags = options === undefined ? NO_FLAGS : { ...NO_FLAGS, ...options, unicode: true };
  try {
    return new Regex(new Pattern(pattern, flags));
  } catch (failure) {
    if (failure instanceof PatternError) throw valueError(failure.message);
    throw failure;
  }
};

/** A group that did not take part in the match has no value. Positions count characters. */
export interface Group {
  readonly value: string | null;
  readonly start: number;
  readonly end: number;
}

export interface Match {
  readonly whole: Group & { readonly value: string };
  readonly groups: readonly Group[];
  readonly names: ReadonlyMap<string, number>;
  /** Positions in UTF-16 units, for cutting the text. */
  readonly from: number;
  readonly to: number;
}

/** The steps of matching, and the characters searched, that cost one step of yaql. */
const STEPS_A_STEP = 100;
const CHARACTERS_A_STEP = 2_048;

export type Spend = (steps: number) => void;

const find = (search: Search, regex: Regex, from: number, mustAdvance: boolean): Found | null => {
  try {
    return search.find(from, mustAdvance);
  } catch (failure) {
    if (!(failure instanceof PatternLimitError)) throw failure;
    const what = `the regular expression "${regex.pattern.source}" takes too many steps to match`;
    throw new YaqlError("limit", what);
  }
};

const matchMaker = ({ pattern }: Regex, text: string): ((found: Found) => Match) => {
  const isPlain = charactersOf(text).length === text.length;
  const place = (at: number): number => (isPlain ? at : charactersOf(text.slice(0, at)).length);
  const groupOf = (span: Span): Group => {
    if (span === null) return { value: null, start: -1, end: -1 };
    const [start, end] = span;
    return { value: text.slice(start, end), start: place(start), end: place(end) };
  };
  return ({ start, end, groups }) => ({
    whole: { value: text.slice(start, end), start: place(start), end: place(end) },
    groups: groups.map(groupOf),
    names: pattern.parsed.names,
    from: start,
    to: end,
  });
};

export function* matchesOf(regex: Regex, text: string, spend: Spend): Generator<Match> {
  const budget = new StepBudget();
  const search = new Search(regex.pattern, text, budget);
  const matchOf = matchMaker(regex, text);
  let from = 0;
  let taken = 0;
  let isEmpty = false;
  for (;;) {
    const found = find(search, regex, from, isEmpty);
    const steps = (budget.taken - taken) / STEPS_A_STEP + (text.length - from) / CHARACTERS_A_STEP;
    spend(Math.ceil(steps));
    if (found === null) return;
    yield matchOf(found);
    [from, taken, isEmpty] = [found.end, budget.taken, found.start === found.end];
  }
}

/** Python's split(), which puts the groups between the parts. 0 means no limit. */
export const splitByRegex = (
  regex: Regex,
  text: string,
  most: number,
  spend: Spend,
): readonly (string | null)[] => {
  const parts: (string | null)[] = [];
  let from = 0;
  let splits = 0;
  for (const match of matchesOf(regex, text, spend)) {
    parts.push(text.slice(from, match.from), ...match.groups.map(({ value }) => value));
    from = match.to;
    splits += 1;
    if (splits === most) break;
  }
  return [...parts, text.slice(from)];
};

/** Python's sub(). 0 means no limit. */
export const replaceByRegex = (
  regex: Regex,
  text: string,
  most: number,
  spend: Spend,
  replacement: (match: Match) => string,
): string => {
  let result = "";
  let from = 0;
  let replaced = 0;
  for (const match of matchesOf(regex, text, spend)) {
    result += text.slice(from, match.from) + replacement(match);
    from = match.to;
    replaced += 1;
    if (replaced === most) break;
  }
  return result + text.slice(from);
};

const TEMPLATE = /\\(?:g<([^>]*)>|([1-9][0-9]?)|(.))/gsu;
const LETTERS: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  f: "\f",
  a: "\u0007",
  b: "\b",
  "0": "\0",
  "\\": "\\",
};

export const expandTemplate = (template: string, { whole, groups, names }: Match): string => {
  const group = (reference: string): string => {
    const number = /^[0-9]+$/.test(reference) ? Number(reference) : names.get(reference);
    if (number === 0) return whole.value;
    const found = number === undefined ? undefined : groups[number - 1];
    if (found === undefined) throw new YaqlError("value", `invalid group reference ${reference}`);
    return found.value ?? "";
  };
  return template.replace(TEMPLATE, (all: string, name, number, other: string | undefined) => {
    if (other === undefined) return group(name ?? number);
    const letter = LETTERS[other];
    if (letter !== undefined) return letter;
    if (/[A-Za-z]/.test(other)) throw new YaqlError("value", `bad escape \\${other}`);
    return all;
  });
};
