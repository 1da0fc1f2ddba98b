/** Stages 4, 5 and 6, or a normal run: the agent has fetched the delivery. */

import { certainly, type DiagnosisFacts, probably, type Verdict, verdictOf } from "./facts.ts";
import { HEARTBEAT_SILENCE_MS, NO_OUTPUT_MS, NOT_POLLING_MS, SIGNAL_GRACE_MS } from "./limits.ts";
import {
  comparedWithEarlier,
  endAskedFor,
  hasPolledAfter,
  isOverdue,
  isOwnAgent,
} from "./signs-of-life.ts";
import {
  ago,
  CHECK_AGENT,
  CHECK_FAILED_STEP,
  CHECK_HOOKS,
  CHECK_RUN,
  CHECK_SERVER,
  CHECK_SIGNAL_URL,
  lastLine,
  REPEAT_LOST_RESULT,
  readLogs,
  span,
} from "./wording.ts";

export const fetched = (
  facts: DiagnosisFacts,
  name: string,
  fetchedAt: number,
  now: number,
): Verdict => {
  const soFar = `server ${name} fetched it ${ago(fetchedAt, now)}`;
  if (hasNoHook(facts)) {
    return hookMissing(`${soFar} and reports that it has no hook for ${toolName(facts)}`, true);
  }
  if (hasPolledAfter(facts, fetchedAt)) return notApplied(facts, soFar, fetchedAt, now);
  const silentMs = now - fetchedAt;
  const compared = `${comparedWithEarlier(facts)}${endAskedFor(facts.delivery, now)}`;
  if (silentMs < NOT_POLLING_MS) {
    return probably("running", `${soFar}; it is running there or about to start${compared}`);
  }
  if (isOwnAgent(facts)) {
    const summary = `server ${name} has stopped polling: it fetched this deployment ${ago(fetchedAt, now)} and has not reported a start; the agent, the server or its network is down${compared}`;
    return probably("not_polling", summary, [CHECK_AGENT, CHECK_SERVER]);
  }
  const silent = `${soFar} and has been silent since: it is still running, or the agent or the server is down${compared}`;
  if (!isOverdue(facts, silentMs)) return probably("running", silent);
  return probably("not_polling", silent, [CHECK_RUN]);
};

const notApplied = (
  { server }: DiagnosisFacts,
  soFar: string,
  fetchedAt: number,
  now: number,
): Verdict => {
  const lastPollAt = server.lastPollAt ?? fetchedAt;
  const canReport = server.appliedVersion !== null;
  const doubt = canReport ? "" : ", or cannot report that";
  const summary = `${soFar} and still polls (last ${ago(lastPollAt, now)}), but has not applied it${doubt}`;
  return verdictOf("agent_misconfigured", canReport, summary, [CHECK_FAILED_STEP, CHECK_HOOKS]);
};

export const applied = (
  facts: DiagnosisFacts,
  name: string,
  appliedAt: number,
  now: number,
): Verdict => {
  const { hasToolSignalled, hasServerSignalled, warnings } = facts;
  const soFar = `server ${name} applied it ${ago(appliedAt, now)}`;
  const tool = toolName(facts);
  if (hasNoHook(facts)) return hookMissing(`${soFar} but has no hook for ${tool}`, true);
  if (now - appliedAt < SIGNAL_GRACE_MS) {
    return probably("running", `${soFar}; its signal should arrive soon`);
  }
  const silent = `${soFar} but sent no signal`;
  if (hasToolSignalled) return signalLost(facts, silent);
  const isHookUnknown = warnings.some(({ rule }) => NO_HOOK_RULES.includes(rule));
  if (isHookUnknown) return hookMissing(`${silent}; it probably has no hook for ${tool}`, false);
  if (hasServerSignalled) {
    const summary = `${silent}; it has signalled for other tools, but never for ${tool}: that hook is probably missing or broken`;
    return hookMissing(summary, false);
  }
  return neverSignalled(facts, soFar);
};

const NO_HOOK_RULES: readonly string[] = [
  "unknown_tool",
  "group_without_signal",
  "component_without_entry",
];

const hookMissing = (summary: string, certain: boolean): Verdict =>
  verdictOf("agent_misconfigured", certain, summary, [CHECK_HOOKS]);

const signalLost = (facts: DiagnosisFacts, silent: string): Verdict => {
  // The stock agents report a document as applied before its hooks run, even if the run then fails.
  const doubt = isOwnAgent(facts) ? "" : ", or its configuration run fails before the hook";
  const summary = `${silent}, although it has signalled for ${toolName(facts)} before: the signal is lost${doubt}`;
  return probably("cannot_signal", summary, signalAdvice(facts));
};

const neverSignalled = (facts: DiagnosisFacts, soFar: string): Verdict =>
  probably(
    "cannot_signal",
    `${soFar}, but no signal from this server has ever arrived: it cannot send signals, or has no hook for ${toolName(facts)}`,
    signalAdvice(facts),
  );

const signalAdvice = (facts: DiagnosisFacts): readonly string[] => {
  const advice = [CHECK_SIGNAL_URL, REPEAT_LOST_RESULT, CHECK_HOOKS];
  return isOwnAgent(facts) ? advice : [...advice, CHECK_FAILED_STEP];
};

/** Agents keep only letters, digits, hyphens and underscores of a hook's name. */
const hasNoHook = ({ tool, server: { tools } }: DiagnosisFacts): boolean =>
  tool !== null && tools !== null && !tools.includes(tool.replaceAll(/[^\p{L}\p{N}_-]/gu, ""));

const toolName = ({ tool }: DiagnosisFacts): string => tool ?? "(no tool)";

/** Stages 5 and 6, or a normal run: the agent has signalled that it started the delivery. */
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
