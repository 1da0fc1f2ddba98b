/** The keys of template formats and environments, to suggest the right one for a mistyped word. */
import type { JsonObject } from "#lib/json.ts";
import { ENVIRONMENT_SECTIONS } from "#lib/template/environment/environment.ts";
import {
  CFN_VERSIONS,
  formatOf,
  VERSION_ALIASES,
  VERSION_KEY,
  VERSION_KEYS,
  VERSIONS,
  type Version,
} from "#lib/template/format.ts";
import { RULES } from "#lib/template/parameters/parameter-constraint.ts";
import {
  CFN_PARAMETER_KEYS,
  CFN_PARAMETER_TYPES,
  PARAMETER_KEYS,
  PARAMETER_TYPES,
} from "#lib/template/parameters/parameter-schema.ts";

const LATER_PARAMETER_WORDS: readonly string[] = ["tags", "min", "max", "step", "offset"];

const wordsOf = (version: Version): readonly string[] => {
  const { sections, resource, output } = formatOf(version);
  return [sections, resource, output]
    .flatMap(Object.values)
    .filter((word) => typeof word === "string");
};

const HOT_WORDS: readonly string[] = [
  VERSION_KEY,
  ...VERSIONS,
  ...Object.keys(VERSION_ALIASES),
  ...VERSIONS.slice(-1).flatMap(wordsOf),
  ...PARAMETER_KEYS,
  ...LATER_PARAMETER_WORDS,
  ...Object.keys(RULES),
  ...PARAMETER_TYPES,
];

const CFN_WORDS: readonly string[] = [
  ...CFN_VERSIONS.flatMap((version) => version.split(".")),
  ...CFN_VERSIONS.flatMap(wordsOf),
  ...CFN_PARAMETER_KEYS,
  ...CFN_PARAMETER_TYPES,
];

export const documentWords = (document: JsonObject): readonly string[] => {
  const key = VERSION_KEYS.find((one) => Object.hasOwn(document, one));
  if (key === undefined) return [...VERSION_KEYS, ...ENVIRONMENT_SECTIONS];
  return key === VERSION_KEY ? HOT_WORDS : CFN_WORDS;
};

/** heatclient knows only the first key. CloudFormation's formats use the second one. */
const TYPE_KEYS: readonly string[] = ["type", "Type"];

export const typeKeysOf = (template: JsonObject): readonly string[] =>
  Object.hasOwn(template, VERSION_KEY) ? TYPE_KEYS.slice(0, 1) : TYPE_KEYS;

/** Shorter words resemble too many others. */
const WORD_CHARS_MIN = 3;
const CHARS_PER_CHANGE = 3;
/** A change is an insertion, a deletion, a replacement, or a swap of neighbours. */
const CHANGES_MAX = 3;

export const changesBetween = (left: string, right: string): number => {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= left.length; row += 1) {
    const above = rows[row - 1] ?? [];
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      let least = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && isSwap) {
        least = Math.min(least, (rows[row - 2]?.[column - 2] ?? 0) + 1);
      }
      current.push(least);
    }
    rows.push(current);
  }
  return rows.at(-1)?.at(-1) ?? 0;
};

/** If candidates differ only in case, the one with the same case as the word wins. */
const isNearer = (word: string, candidate: string, best: string | null): boolean =>
  best !== null &&
  candidate.toLowerCase() === best.toLowerCase() &&
  changesBetween(word, candidate) < changesBetween(word, best);

export const didYouMean = (word: string, known: readonly string[]): string | null => {
  if (word.length < WORD_CHARS_MIN || known.includes(word)) return null;
  let least = Math.min(CHANGES_MAX, Math.floor(word.length / CHARS_PER_CHANGE)) + 1;
  let best: string | null = null;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= least + (best === null ? 0 : 1)) continue;
    const changes = changesBetween(word.toLowerCase(), candidate.toLowerCase());
    if (changes > least || (changes === least && !isNearer(word, candidate, best))) continue;
    least = changes;
    best = candidate;
  }
  return best;
};
