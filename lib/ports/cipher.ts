/** Encryption at rest. `context` is `tenant/stackId`. Each has its own key and is authenticated. */
export interface Cipher {
  seal(context: string, text: string): Promise<string>;
  open(context: string, sealed: string): Promise<string>;
}
