/**
 * Why a request to an agent's URL was refused or had no effect. The kinds up to `deleted` were
 * refused, and the others were answered 200. The kinds up to `too_large` are found before the
 * signature is checked. Anybody who knows an id can cause these, so they do not show who sent the
 * request.
 */
export const EVIDENCE_KINDS = [
  "wrong_method",
  /** The id is of another kind of URL: a server's, not a derived config's, or vice versa. */
  "wrong_scope",
  "not_signed",
  "unknown_key",
  /** The URL was changed, or it has the signature of another target. The two look alike. */
  "bad_signature",
  "too_large",
  "expired",
  "revoked",
  "not_valid",
  "deleted",
  "old_operation",
  "late",
  "duplicate",
  "conflicting",
] as const;

export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** If `deploymentId` is null, the target is a server or a wait condition handle. */
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

/** One record for each kind and target. It stores nothing of the request. */
export interface Evidence extends EvidenceSighting {
  /** The count is exact up to EVIDENCE_COUNT_EXACT_MAX. Above, only some requests are counted. */
  readonly count: number;
}

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
