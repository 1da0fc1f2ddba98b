/** Which recorded evidence speaks of requests that were refused. */
import type { Evidence, EvidenceKind } from "#lib/model/evidence.ts";

/** Not of those that were heeded, or that came too late to matter. */
const WITHOUT_EFFECT: readonly EvidenceKind[] = [
  "deleted",
  "old_operation",
  "late",
  "duplicate",
  "conflicting",
];

const REASONS: Partial<Record<EvidenceKind, string>> = {
  wrong_method: "with another HTTP method",
  wrong_scope: "with a URL that is meant for something else",
  not_signed: "without the whole signature: its query string is cut or changed on the way",
  unknown_key: "signed with a key that has been rotated out",
  bad_signature: "with a signature that is not valid: its query string is changed on the way",
  too_large: "because it is larger than a signal may be",
  expired: "because its URL has expired",
  revoked: "because its URL has been revoked",
  not_valid: "because its body is no JSON object, or has a deploy_status that is not known",
};

export const whyRefused = ({ kind }: Evidence): string => REASONS[kind] ?? kind;

/** These are found when the signature is known to be good; all others may be sent by whoever knows an id. */
const SIGNED: readonly EvidenceKind[] = ["expired", "revoked", "not_valid"];

export const isSurelyOwn = ({ kind }: Evidence): boolean => SIGNED.includes(kind);

/** The newest refusal since then; `deploymentId` null: of the server's polls. */
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
