/** Identifiers. Neither method does input or output. */
export interface Ids {
  /** A fresh UUID. */
  fresh(): string;
  /** The same UUID for the same parts: whatever is minted twice after a crash is minted the same. */
  derive(...parts: readonly string[]): string;
}
