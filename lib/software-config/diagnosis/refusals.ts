import type { Evidence, EvidenceKind } from "#lib/model/evidence.ts";

/** These requests were answered 200 without effect, or came after the deployment was deleted. */
const WITHOUT_EFFECT: readonly EvidenceKind[] = [
  "deleted",
  "old_operation",
  "late",
  "duplicate",
  "conflicting",
];

const REASONS: Partial<Record<EvidenceKind, string>> = {
  wrong_method: "because it used the wrong HTTP method",
  wrong_scope: "because its URL is meant for something else",
  not_signed: "because its URL has no complete signature",
  unknown_key: "because Hearth has no signing key of the name in its URL",
  bad_signature: "because the signature of its URL is not valid",
  too_large: "because it is too large",
  expired: "because its URL has expired",
  revoked: "because its URL has been revoked",
  not_valid: "because its body is not a JSON object or has an unknown deploy_status",
};

export const whyRefused = ({ kind }: Evidence): string => REASONS[kind] ?? kind;

const UNPROVED: readonly EvidenceKind[] = ["not_signed", "unknown_key", "bad_signature"];

export const isUnproved = ({ kind }: Evidence): boolean => UNPROVED.includes(kind);

/** These require a valid signature. Anyone who knows an id can cause the others. */
const SIGNED: readonly EvidenceKind[] = ["expired", "revoked", "not_valid"];

export const isSurelyOwn = ({ kind }: Evidence): boolean => SIGNED.includes(kind);

export const refusalSince = (
  evidence: readonly Evidence[],
  deploymentId: string | null,
  since: number,
): Evidence | null => {
  const refusals = evidence.filter(
    (seen) =>
      seen.deploymentId === deploymentId &&
      seen.lastSeenAt >= since &&
      !WITHOUT_EFFECT.includes(seen.kind),
  );
  return refusals.toSorted((left, right) => right.lastSeenAt - left.lastSeenAt)[0] ?? null;
};
