/** Only hashes of API tokens are stored, so a reader of the store cannot use any of the tokens. */

/** The limits of a token within its project. A token without limits may do everything there. */
export interface Rights {
  readonly mayOnlyRead?: boolean;
  readonly stack?: string;
}

export interface TokenRecord {
  readonly tenant: string;
  readonly rights: Rights;
  /** Milliseconds since 1970, or null if the token never expires. */
  readonly expiresAt: number | null;
}

export interface TokenStore {
  /** The record may have expired, so the caller must compare the time. */
  get(hash: string): Promise<TokenRecord | null>;
}
