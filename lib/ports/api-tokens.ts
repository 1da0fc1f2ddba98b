/** The stored API tokens. Only their hashes are stored, so a reader of the store can use none. */

export interface TokenRecord {
  readonly tenant: string;
  /** Milliseconds since 1970; null never expires. */
  readonly expiresAt: number | null;
}

export interface TokenStore {
  /** An expired record may be answered or not. Its caller compares the time. */
  get(hash: string): Promise<TokenRecord | null>;
}
