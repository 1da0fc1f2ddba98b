/** Where a sealed text is stored. It opens nowhere else. */
export interface SealedPlace {
  /** `tenant/stackId`. Each has its own key. */
  readonly context: string;
  /** The table, the field and the record's id. */
  readonly field: string;
}

/**
 * Encryption at rest. The whole place is authenticated. `known` is a text that the opener has too.
 * What the sealed text repeats of it takes no room.
 */
export interface Cipher {
  seal(place: SealedPlace, text: string, known?: string): Promise<string>;
  /** `known` as it was sealed with, or nothing if it was sealed without. */
  open(place: SealedPlace, sealed: string, known?: string): Promise<string>;
}
