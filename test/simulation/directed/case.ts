/** A directed case: one danger, told by name. It runs alone and against every mutant. */
export interface Case {
  readonly title: string;
  readonly run: () => Promise<void>;
}
