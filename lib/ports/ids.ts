export interface Ids {
  fresh(): string;
  /** Equal parts give the same UUID, so a repetition after a crash uses the same id. */
  derive(...parts: readonly string[]): string;
}
