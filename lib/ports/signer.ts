/** HMAC over what a URL grants. The signature covers tenant, kind, id, exp and gen (design: architecture §6). */
export interface SignedGrant {
  readonly tenant: string;
  readonly kind: "metadata" | "signal";
  readonly id: string;
  /** Seconds since 1970; 0 never expires. */
  readonly exp: number;
  readonly gen: number;
}

export interface SignatureQuery {
  readonly kid: string;
  readonly exp: number;
  readonly gen: number;
  readonly sig: string;
}

export interface Signer {
  sign(grant: SignedGrant): SignatureQuery;
  /** Compares in constant time; knows nothing of expiry, which its caller checks. */
  verify(grant: SignedGrant, kid: string, sig: string): boolean;
}
