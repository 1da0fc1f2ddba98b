/**
 * A step takes up to 0.1 µs.
 * @limit steps in which a regular expression looks at a value. The parameters of a template share
 * them
 * @beyond 400: the value is refused
 */
const STEPS_MAX = 1_000_000;

/** The message lacks the pattern, which the caller adds. */
export class PatternLimitError extends Error {
  override readonly name = "PatternLimitError";
}

export class StepBudget {
  taken = 0;

  spend(steps: number): void {
    this.taken += steps;
    if (this.taken > STEPS_MAX) throw new PatternLimitError();
  }
}
