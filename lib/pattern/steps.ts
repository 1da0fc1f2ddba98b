/** How much work matching may take, whatever does it. */

/**
 * A step takes up to a tenth of a microsecond.
 * @limit steps in which a regular expression looks at a value. The parameters of a template share
 * them
 * @beyond 400: the value is refused
 */
const STEPS_MAX = 1_000_000;

/** The search is given up. The caller names the pattern. */
export class PatternLimitError extends Error {
  override readonly name = "PatternLimitError";
}

/** Matches that share one are limited together. */
export class StepBudget {
  taken = 0;

  spend(steps: number): void {
    this.taken += steps;
    if (this.taken > STEPS_MAX) throw new PatternLimitError();
  }
}
