/** allowed_pattern: a regular expression of Python that must match the whole value. */
import { LRUCache } from "lru-cache";
import { Pattern, Search } from "#lib/pattern/pattern.ts";
import { StepBudget } from "#lib/pattern/steps.ts";
import { PatternError } from "#lib/pattern/tokens.ts";

/** The error of each pattern, or "". YAML aliases can repeat a pattern thousands of times. */
const CHECKED_CHARACTERS_MAX = 4 * 1_024 * 1_024;
const checked = new LRUCache<string, string>({
  maxSize: CHECKED_CHARACTERS_MAX,
  sizeCalculation: (fault, pattern) => fault.length + pattern.length + 1,
});

export const patternFault = (pattern: string): string | null => {
  const fault = checked.get(pattern) ?? faultOf(pattern);
  checked.set(pattern, fault);
  return fault === "" ? null : fault;
};

const faultOf = (pattern: string): string => {
  try {
    new Pattern(pattern);
    return "";
  } catch (failure) {
    if (failure instanceof PatternError) return failure.message;
    throw failure;
  }
};

/** Reading and compiling a character of a pattern takes about a microsecond. */
const STEPS_A_PATTERN_CHARACTER = 10;

const compiled = new WeakMap<StepBudget, Map<string, Pattern>>();

const patternOf = (source: string, budget: StepBudget): Pattern => {
  const known = compiled.get(budget) ?? new Map<string, Pattern>();
  compiled.set(budget, known);
  const before = known.get(source);
  if (before !== undefined) return before;
  budget.spend(source.length * STEPS_A_PATTERN_CHARACTER);
  const pattern = new Pattern(source);
  known.set(source, pattern);
  return pattern;
};

/**
 * As Heat's re.match with a test of the match's end: `a|ab` refuses "ab", because "a" matches
 * first. Throws PatternLimitError.
 */
export const matchesWhole = (
  pattern: string,
  value: string,
  budget: StepBudget = new StepBudget(),
): boolean => new Search(patternOf(pattern, budget), value, budget).matchAtStart() === value.length;

/** The text does not show the value, which may be hidden. */
export const tooManySteps = (pattern: string): string =>
  `the pattern "${pattern}" takes too many steps to match`;
