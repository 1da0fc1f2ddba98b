/** A directed case plays one danger. It runs alone and against every mutant. */
export interface Case {
  readonly title: string;
  readonly run: () => Promise<void>;
}
