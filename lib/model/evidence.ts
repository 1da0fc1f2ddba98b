/** The records of requests to agents' URLs that were refused or had no effect. */

/**
 * Why a request to an agent's URL was refused or had no effect. The kinds up to `deleted` were
 * refused. The others were answered 200 without effect. The kinds up to `too_large` are found
 * before the signature is checked. Anybody who knows an id can cause these, so they do not show who
 * sent the request.
 */
export const EVIDENCE_KINDS = [
  "wrong_method",
  /** The id is of another kind of URL: a server's instead of a derived config's, or vice versa. */
  "wrong_scope",
  "not_signed",
  /** The key was ended after a leak, or never existed. */
  "unknown_key",
  /** The URL was changed, or its signature is another target's. The two look the same. */
  "bad_signature",
  "too_large",
  "expired",
  /** The server has a URL of a newer generation. */
  "revoked",
  "not_valid",
  "deleted",
  /** The request belongs to an earlier action of the deployment. */
  "old_operation",
  /** The operation has ended, and this request does not repeat its result. */
  "late",
  "duplicate",
  /** A second result that differs from the first. The first one counts. */
  "conflicting",
] as const;

export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** A deployment. If `deploymentId` is null: a server or a wait condition handle. */
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

/**
 * One record for each kind and target, however often it is seen. It stores nothing of the request.
 */
export interface Evidence extends EvidenceSighting {
  /** Exact up to EVIDENCE_COUNT_EXACT_MAX. Above that only some requests are counted. */
  readonly count: number;
}

/** The requests that were refused. What else leaves evidence was answered 200. */
export const REFUSED_KINDS: readonly EvidenceKind[] = [
  "wrong_method",
  "wrong_scope",
  "not_signed",
  "unknown_key",
  "bad_signature",
  "expired",
  "revoked",
  "not_valid",
  "deleted",
];
