/** Stage 6, proved by requests: a signal was refused, or the agent cannot send its result. */
import type { Evidence, EvidenceKind } from "#lib/model/evidence.ts";
import { certainly, type DiagnosisFacts, type Verdict, verdictOf } from "./facts.ts";
import {
  ago,
  CHECK_SIGNAL_URL,
  CHECK_SIGNATURE,
  REPEAT_LOST_RESULT,
  REPEAT_REFUSED_RESULT,
  UNKNOWN_SENDER,
} from "./wording.ts";

export const refusedSignal = (
  facts: DiagnosisFacts,
  name: string,
  publishedAt: number,
  now: number,
): Verdict | null => {
  const { delivery, deployment, evidence, hasOpenPredecessor } = facts;
  const since = Math.max(publishedAt, delivery.heardAt ?? 0);
  const refusal: Evidence | null = refusalSince(evidence, deployment.id, since);
  if (refusal === null) return null;
  // Only an agent that fetched the delivery knows its id, and its URL has not expired yet.
  const isOwn = delivery.fetchedAt !== null && refusal.kind !== "expired" && !hasOpenPredecessor;
  // Nothing proves the sender of a request without a good signature.
  const sender = isUnproved(refusal) ? "for this deployment" : `from server ${name}`;
  const summary = `a signal ${sender} was refused ${ago(refusal.lastSeenAt, now)} ${whyRefused(refusal)}`;
  const advice = [
    isOwn ? REPEAT_LOST_RESULT : UNKNOWN_SENDER,
    isUnproved(refusal) ? CHECK_SIGNATURE : CHECK_SIGNAL_URL,
  ];
  return verdictOf("cannot_signal", isOwn, summary, advice);
};

export const unsentResult = (
  { server, deployment }: DiagnosisFacts,
  name: string,
  now: number,
): Verdict | null => {
  if (server.unsentConfigId !== deployment.derivedConfigId) return null;
  const lastPollAt = server.lastPollAt ?? now;
  const summary = `the run on server ${name} has ended, but its agent cannot deliver the result (reported ${ago(lastPollAt, now)})`;
  return certainly("cannot_signal", summary, [CHECK_SIGNAL_URL, REPEAT_REFUSED_RESULT]);
};

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

const isUnproved = ({ kind }: Evidence): boolean => UNPROVED.includes(kind);

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
