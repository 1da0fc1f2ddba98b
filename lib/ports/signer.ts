export interface SignedGrant {
  readonly tenant: string;
  /**
   * "probe" and "life" grant nothing. A probe tests whether a URL arrives complete
   * (lib/engine/health-probe.ts). "life" proves that a folder's life has this `gen`
   * (software-config/document/proven-life.ts). Only the embedded host uses "upload".
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
  knows(kid: string): boolean;
  /** Compares in constant time. The caller must check the expiry. */
  verify(grant: SignedGrant, kid: string, sig: string): boolean;
}
