/** Stages 5 and 6, or a normal run: the agent has signalled that it started the delivery. */
import {
  CHECK_AGENT,
  CHECK_RUN,
  CHECK_SERVER,
  CHECK_SIGNAL_URL,
  REPEAT_LOST_RESULT,
  readLogs,
} from "./advice.ts";
import { certainly, type DiagnosisFacts, probably, type Verdict } from "./facts.ts";
import { HEARTBEAT_SILENCE_MS, NO_OUTPUT_MS } from "./limits.ts";
import { lastLine } from "./quoted-output.ts";
import {
  comparedWithEarlier,
  endAskedFor,
  hasPolledAfter,
  isOverdue,
  isOwnAgent,
} from "./running.ts";
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
  const compared = `${comparedWithEarlier(facts)}${endAskedFor(facts.delivery, now)}`;
  const since = `it has been running on server ${name} for ${span(now - startedAt)}`;
  if (now - heardAt < HEARTBEAT_SILENCE_MS) {
    const quiet = withoutOutput(facts, startedAt, now);
    if (quiet !== null) {
      const advice = [CHECK_RUN, readLogs(facts.deployment.id, "stdout")];
      return probably("running", `${since}, ${quiet}${compared}`, advice);
    }
    const progress = progressReason === null ? "" : ` ("${progressReason}")`;
    const summary = `${since}, last progress ${ago(heardAt, now)}${progress}${compared}`;
    return certainly("running", summary);
  }
  // Some hooks report only their start.
  const reports = heartbeats >= 2 || isOwnAgent(facts);
  if (!reports && !isOverdue(facts, now - startedAt)) {
    return probably("running", `${since} and has reported nothing but its start${compared}`);
  }
  const doubt = reports ? "" : "the run is silent, or ";
  const summary = `server ${name} has stopped polling in the middle of the run: started ${ago(startedAt, now)}, last heard of ${ago(heardAt, now)}; ${doubt}the agent, the server or its network is down${compared}`;
  return probably("not_polling", summary, [CHECK_AGENT, CHECK_SERVER]);
};

const withoutOutput = (
  { delivery, output, server }: DiagnosisFacts,
  startedAt: number,
  now: number,
): string | null => {
  const { outputTailAt, heartbeats } = delivery;
  if (outputTailAt === null && (heartbeats < 2 || !isOwnAgent({ server }))) return null;
  const quietMs = now - (outputTailAt ?? startedAt);
  if (quietMs < NO_OUTPUT_MS) return null;
  const line = lastLine(output);
  return line === null
    ? `no output for ${span(quietMs)}`
    : `no output for ${span(quietMs)}, last line ${line}`;
};
