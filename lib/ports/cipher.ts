/** Encryption at rest. `context` is `tenant/stackId`: a key of its own each, authenticated with the text. */
export interface Cipher {
  seal(context: string, text: string): Promise<string>;
  open(context: string, sealed: string): Promise<string>;
}
