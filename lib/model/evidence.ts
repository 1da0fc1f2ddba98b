/** What is kept of requests to agents' URLs that were refused or had no effect. */

/**
 * What can be said against a request to an agent's URL, or to its being heeded. Up to `deleted` it was refused;
 * the rest was answered 200 without effect. Whoever knows an id can cause those up to `too_large`, for they are seen before
 * the signature is known to be good: they tell that something is wrong, and not who did it.
 */
export const EVIDENCE_KINDS = [
  "wrong_method",
  /** The id is another URL's: a server's where a derived config's is wanted, or the other way round. */
  "wrong_scope",
  "not_signed",
  /** Its key has been rotated out, or never was one. */
  "unknown_key",
  /** Changed on the way, or another target's: the two cannot be told apart. */
  "bad_signature",
  "too_large",
  "expired",
  /** The server's URL has been given a new generation. */
  "revoked",
  "not_valid",
  "deleted",
  /** Of an action of the deployment before the current one. */
  "old_operation",
  /** After the end, and no repetition of what ended it. */
  "late",
  "duplicate",
  /** A second result that says something else than the first, which counts. */
  "conflicting",
] as const;

export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** Whom it is about: a deployment, or a server (or wait condition handle) where `deploymentId` is null. */
export interface EvidenceTarget {
  readonly tenant: string;
  readonly stackId: string;
  readonly serverId: string;
  readonly deploymentId: string | null;
}

export interface EvidenceSighting extends EvidenceTarget {
  readonly kind: EvidenceKind;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
}

/** One for each kind and target, however often it is seen. Nothing of the request is in it. */
export interface Evidence extends EvidenceSighting {
  /** Exact up to EVIDENCE_COUNT_EXACT_MAX; above it only some are counted. */
  readonly count: number;
}
