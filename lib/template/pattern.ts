/** allowed_pattern: Python's regular expressions, of which a match must take the whole value. */
import { Pattern, Search } from "#lib/pattern/pattern.ts";
import { StepBudget } from "#lib/pattern/steps.ts";
import { PatternError } from "#lib/pattern/tokens.ts";

/** Why a pattern is wrong; null: it is right. */
export const patternFault = (pattern: string): string | null => {
  try {
    new Pattern(pattern);
    return null;
  } catch (failure) {
    if (failure instanceof PatternError) return failure.message;
    throw failure;
  }
};

/**
 * Like Heat's re.match, which must end with the value: `a|ab` refuses "ab" after the "a". Throws
 * PatternLimitError.
 */
export const matchesWhole = (
  pattern: string,
  value: string,
  budget: StepBudget = new StepBudget(),
): boolean => new Search(new Pattern(pattern), value, budget).matchAtStart() === value.length;

/** It does not show the value, which may be hidden. */
export const tooManySteps = (pattern: string): string =>
  `the pattern "${pattern}" takes too many steps to match`;
