/** Stage 6, or a normal run: the agent has signalled that it started the delivery. */
import { CHECK_SERVER, CHECK_SIGNAL_URL, REPEAT_LOST_RESULT } from "./advice.ts";
import { certainly, type DiagnosisFacts, probably, type Verdict } from "./facts.ts";
import { HEARTBEAT_SILENCE_MS } from "./limits.ts";
import { comparedWithEarlier, hasPolledAfter, isOverdue } from "./running.ts";
import { ago, span } from "./spans.ts";

export const started = (
  facts: DiagnosisFacts,
  name: string,
  startedAt: number,
  now: number,
): Verdict => {
  const heardAt = facts.delivery.heardAt ?? startedAt;
  return hasEnded(facts, startedAt, heardAt)
    ? resultMissing(name, startedAt, now)
    : stillRunning(facts, name, { startedAt, heardAt }, now);
};

/** Agents do not poll during a run. */
const hasEnded = (facts: DiagnosisFacts, startedAt: number, heardAt: number): boolean =>
  (facts.delivery.appliedAt ?? 0) >= startedAt || hasPolledAfter(facts, heardAt);

const resultMissing = (name: string, startedAt: number, now: number): Verdict =>
  probably(
    "cannot_signal",
    `server ${name} started it ${ago(startedAt, now)} and has polled since: the run ended or was killed, and its result has not arrived`,
    [REPEAT_LOST_RESULT, CHECK_SIGNAL_URL],
  );

const stillRunning = (
  facts: DiagnosisFacts,
  name: string,
  { startedAt, heardAt }: { readonly startedAt: number; readonly heardAt: number },
  now: number,
): Verdict => {
  const { progressReason, heartbeats } = facts.delivery;
  const compared = comparedWithEarlier(facts);
  const since = `it has been running on server ${name} for ${span(now - startedAt)}`;
  if (now - heardAt < HEARTBEAT_SILENCE_MS) {
    const progress = progressReason === null ? "" : ` ("${progressReason}")`;
    const summary = `${since}, last progress ${ago(heardAt, now)}${progress}${compared}`;
    return certainly("running", summary);
  }
  // Some hooks report only their start.
  if (heartbeats < 2 && !isOverdue(facts, now - startedAt)) {
    return probably("running", `${since} and has reported nothing but its start${compared}`);
  }
  const summary = `server ${name} started it ${ago(startedAt, now)}, last reported progress ${ago(heardAt, now)} and does not poll: the run is silent, or the server or its network is down${compared}`;
  return probably("cannot_signal", summary, [CHECK_SERVER, CHECK_SIGNAL_URL]);
};
