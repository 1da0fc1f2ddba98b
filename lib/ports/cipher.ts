/**
 * Encryption at rest. `context` is `tenant/stackId`. Each has its own key and is authenticated.
 * `known` is a text that the opener has too. What the sealed text repeats of it takes no room.
 */
export interface Cipher {
  seal(context: string, text: string, known?: string): Promise<string>;
  /** `known` as it was sealed with, or nothing if it was sealed without. */
  open(context: string, sealed: string, known?: string): Promise<string>;
}
