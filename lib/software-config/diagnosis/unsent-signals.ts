/** Stage 6, proved by requests: a signal was refused, or the agent cannot send its result. */
import type { Evidence } from "#lib/model/evidence.ts";
import {
  CHECK_SIGNAL_URL,
  CHECK_SIGNATURE,
  REPEAT_LOST_RESULT,
  REPEAT_REFUSED_RESULT,
  UNKNOWN_SENDER,
} from "./advice.ts";
import { certainly, type DiagnosisFacts, type Verdict, verdictOf } from "./facts.ts";
import { isUnproved, refusalSince, whyRefused } from "./refusals.ts";
import { ago } from "./spans.ts";

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
