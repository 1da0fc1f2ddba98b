/** Identifiers. Neither method does input or output. */
export interface Ids {
  /** A fresh UUID. */
  fresh(): string;
  /** The same UUID for the same parts, so a repetition after a crash makes the same id. */
  derive(...parts: readonly string[]): string;
}
