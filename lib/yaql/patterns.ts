/** Python's regular expressions on RE2, which takes linear time. */
import { RE2JS, RE2JSException } from "re2js";
import { compileSearch } from "#lib/template/pattern.ts";
import { YaqlError } from "./errors.ts";
import { charactersOf, Regex } from "./values.ts";

export interface PatternOptions {
  readonly ignoreCase: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
}

const PLAIN: PatternOptions = { ignoreCase: false, multiLine: false, dotAll: false };

/** Throws YaqlError if RE2 cannot have the pattern, as with look-ahead and back references. */
export const compileRegex = (pattern: string, options: PatternOptions = PLAIN): Regex => {
  const flags =
    (options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) |
    (options.multiLine ? RE2JS.MULTILINE : 0) |
    (options.dotAll ? RE2JS.DOTALL : 0);
  try {
    return new Regex(pattern, compileSearch(pattern, flags));
  } catch (failure) {
    if (!(failure instanceof RE2JSException)) throw failure;
    const what = `the regular expression "${pattern}" is not supported: ${failure.message}`;
    throw new YaqlError("unsupported", what);
  }
};

/** A group that took no part has no value. Positions count characters. */
export interface Group {
  readonly value: string | null;
  readonly start: number;
  readonly end: number;
}

export interface Match {
  readonly whole: Group & { readonly value: string };
  readonly groups: readonly Group[];
  /** By name, the number of the group. */
  readonly names: Readonly<Record<string, number>>;
  /** Positions in JavaScript's units, for cutting the text. */
  readonly from: number;
  readonly to: number;
}

/** All matches from left to right, as Python's finditer() gives them. */
export function* matchesOf({ compiled }: Regex, text: string): Generator<Match> {
  const matcher = compiled.matcher(text);
  const isPlain = charactersOf(text).length === text.length;
  const place = (at: number): number => (isPlain ? at : charactersOf(text.slice(0, at)).length);
  const groupAt = (at: number): Group => {
    const value = matcher.group(at);
    if (value === null || value === undefined) return { value: null, start: -1, end: -1 };
    return { value, start: place(matcher.start(at)), end: place(matcher.end(at)) };
  };
  let from = 0;
  while (from <= text.length && matcher.find(from)) {
    const [start, end] = [matcher.start(0), matcher.end(0)];
    const groups = Array.from({ length: matcher.groupCount() }, (_, at) => groupAt(at + 1));
    const value = text.slice(start, end);
    const whole = { value, start: place(start), end: place(end) };
    yield { whole, groups, names: compiled.namedGroups(), from: start, to: end };
    from = end > start ? end : end + 1;
  }
}

/** Python's split(): the groups stand between the parts. Zero splits are no limit. */
export const splitByRegex = (
  regex: Regex,
  text: string,
  most: number,
): readonly (string | null)[] => {
  const parts: (string | null)[] = [];
  let from = 0;
  let splits = 0;
  for (const match of matchesOf(regex, text)) {
    parts.push(text.slice(from, match.from), ...match.groups.map(({ value }) => value));
    from = match.to;
    splits += 1;
    if (splits === most) break;
  }
  return [...parts, text.slice(from)];
};

/** Python's sub(). Zero replacements are no limit. */
export const replaceByRegex = (
  regex: Regex,
  text: string,
  most: number,
  replacement: (match: Match) => string,
): string => {
  let result = "";
  let from = 0;
  let replaced = 0;
  for (const match of matchesOf(regex, text)) {
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

/** What `\1`, `\g<name>` and `\n` in a replacement stand for. */
export const expandTemplate = (template: string, { whole, groups, names }: Match): string => {
  const group = (reference: string): string => {
    const number = /^[0-9]+$/.test(reference) ? Number(reference) : names[reference];
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
