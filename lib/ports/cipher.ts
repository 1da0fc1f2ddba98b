export interface SealedPlace {
  /** `tenant/stackId`. Each context has its own key. */
  readonly context: string;
  readonly field: string;
}

/**
 * Encryption at rest, with the place as authenticated data. `known` is a text that the opener has
 * too, so parts of the sealed text that repeat it need no space. It must be the same for both
 * calls.
 */
export interface Cipher {
  seal(place: SealedPlace, text: string, known?: string): Promise<string>;
  open(place: SealedPlace, sealed: string, known?: string): Promise<string>;
}
