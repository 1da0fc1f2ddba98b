/** HMAC over what a URL grants. The signature covers tenant, kind, id, exp and gen (design: architecture §6). */
export interface SignedGrant {
  readonly tenant: string;
  /** A probe grants nothing but to be told that the URL has arrived whole (lib/engine/health-probe.ts); an upload is the embedded host's. */
  readonly kind: "metadata" | "signal" | "probe" | "upload";
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
  /** Whether a key of this name is still honoured. */
  knows(kid: string): boolean;
  /** Compares in constant time; knows nothing of expiry, which its caller checks. */
  verify(grant: SignedGrant, kid: string, sig: string): boolean;
}
