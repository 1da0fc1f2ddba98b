/** HMAC over what a URL grants: tenant, kind, id, exp and gen. */
export interface SignedGrant {
  readonly tenant: string;
  /**
   * "probe" grants nothing: it only tests that a URL arrives whole (lib/engine/health-probe.ts).
   * "upload" is for the embedded host only. "life" grants nothing either: it proves that a folder's
   * life has this `gen` (software-config/document/proven-life.ts).
   */
  readonly kind: "metadata" | "signal" | "probe" | "upload" | "life";
  readonly id: string;
  /** Seconds since 1970. 0 never expires. */
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
  /** Whether signatures of this key are still accepted. */
  knows(kid: string): boolean;
  /** Compares in constant time. Its caller checks the expiry. */
  verify(grant: SignedGrant, kid: string, sig: string): boolean;
}
