/** The stored API tokens. Only their hashes are stored, so a reader of the store can use none. */

/** What a token may do within its project. Without bounds it may do everything there. */
export interface Rights {
  /** It reads, and asks what would be, but changes nothing. */
  readonly mayOnlyRead?: boolean;
  /** The name of the one stack that it reads and changes. */
  readonly stack?: string;
}

export interface TokenRecord {
  readonly tenant: string;
  readonly rights: Rights;
  /** Milliseconds since 1970; null never expires. */
  readonly expiresAt: number | null;
}

export interface TokenStore {
  /** An expired record may be answered or not. Its caller compares the time. */
  get(hash: string): Promise<TokenRecord | null>;
}
