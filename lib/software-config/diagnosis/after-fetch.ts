/** Stages 4 and 6, and what is no trouble: the server has the delivery. */
import type { Evidence } from "#lib/model/evidence.ts";
import type { DiagnosisFacts, Verdict } from "./facts.ts";
import {
  HEARTBEAT_SILENCE_MS,
  NOT_POLLING_MS,
  OVERDUE_FACTOR,
  OVERDUE_MS_MIN,
  POLL_NOTE_INTERVAL_MS,
  SIGNAL_GRACE_MS,
  UNKNOWN_RUN_MS_MAX,
} from "./limits.ts";
import { refusalSince, whyRefused } from "./refusals.ts";
import { ago, span } from "./spans.ts";

const LOST_RESULT =
  "the run is over, and stock agents send a result only once: deliver it again, or set its result by hand";
const UNSENT_RESULT =
  "it is sent again before each poll; one that was answered 4xx is not: deliver it again, or set its result by hand";
const LOOK_AT_SIGNALS =
  "from the server, look whether deploy_signal_id can be reached: the agent's log has the answers it got";
const LOOK_AT_HOOKS =
  "on the server, look at the agent's log, and whether there is a hook with the tool's name";

const FAILED_RUN =
  "on the server, look at the agent's log: where a step of os-refresh-config fails, those behind it do not run, the hooks among them, and all is repeated at each poll";

/** The agent names the tools that it has. Hooks lose what is no letter, digit, hyphen or underscore, as agents have it. */
const hasNoHook = ({ tool, server: { tools } }: DiagnosisFacts): boolean =>
  tool !== null && tools !== null && !tools.includes(tool.replaceAll(/[^\p{L}\p{N}_-]/gu, ""));

const nameOf = ({ tool }: DiagnosisFacts): string => tool ?? "(no tool)";

/** What is known about how long it takes: an ending for a sentence. */
const comparedWithEarlier = ({ earlierRunsMs }: DiagnosisFacts): string =>
  earlierRunsMs.length === 0 ? "" : `; earlier runs took up to ${span(Math.max(...earlierRunsMs))}`;

const isOverdue = ({ earlierRunsMs }: DiagnosisFacts, ms: number): boolean =>
  earlierRunsMs.length === 0
    ? ms >= UNKNOWN_RUN_MS_MAX
    : ms >= Math.max(OVERDUE_FACTOR * Math.max(...earlierRunsMs), OVERDUE_MS_MIN);

/** Since when the server would have polled, were it not busy. */
const polledAfter = ({ server }: DiagnosisFacts, time: number): boolean =>
  (server.lastPollAt ?? 0) >= time + POLL_NOTE_INTERVAL_MS;

/** A result or a word of progress was refused, and nothing has got through since. */
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
  // Only who has fetched it knows its id; and the URL of what is under way does not expire.
  const isOwn = delivery.fetchedAt !== null && refusal.kind !== "expired" && !hasOpenPredecessor;
  return {
    stage: 6,
    cause: "cannot_signal",
    certain: isOwn,
    summary: `a signal of server ${name} was refused ${ago(refusal.lastSeenAt, now)} ${whyRefused(refusal)}`,
    advice: [
      isOwn
        ? LOST_RESULT
        : "it may have been sent by an earlier run of this deployment, or by somebody else",
      LOOK_AT_SIGNALS,
    ],
  };
};

/** The agent itself says that it has a result that it cannot deliver. */
export const unsentResult = (
  { server, deployment }: DiagnosisFacts,
  name: string,
  now: number,
): Verdict | null => {
  if (server.unsentConfigId !== deployment.derivedConfigId) return null;
  return {
    stage: 6,
    cause: "cannot_signal",
    certain: true,
    summary: `the run on server ${name} is over, and its agent cannot deliver the result, as it told ${ago(server.lastPollAt ?? now, now)}`,
    advice: [LOOK_AT_SIGNALS, UNSENT_RESULT],
  };
};

const running = (summary: string, certain: boolean): Verdict => ({
  stage: null,
  cause: "running",
  certain,
  summary,
  advice: [],
});

/** A signal of progress has come. */
export const started = (
  facts: DiagnosisFacts,
  name: string,
  startedAt: number,
  now: number,
): Verdict => {
  const { delivery } = facts;
  const heardAt = delivery.heardAt ?? startedAt;
  const stuck = { stage: 6, cause: "cannot_signal", certain: false } as const;
  const isOver = (delivery.appliedAt ?? 0) >= startedAt || polledAfter(facts, heardAt);
  if (isOver) {
    const summary = `it started ${ago(startedAt, now)} on server ${name}, which has polled since: the run is over or was cut off, and its result has not arrived`;
    return { ...stuck, summary, advice: [LOST_RESULT, LOOK_AT_SIGNALS] };
  }
  const compared = comparedWithEarlier(facts);
  const since = `it has been running for ${span(now - startedAt)} on server ${name}`;
  if (now - heardAt < HEARTBEAT_SILENCE_MS) {
    const word = delivery.progressReason === null ? "" : ` ("${delivery.progressReason}")`;
    return running(`${since}, last heard of ${ago(heardAt, now)}${word}${compared}`, true);
  }
  // Not every hook tells more than the beginning.
  if (delivery.heartbeats < 2 && !isOverdue(facts, now - startedAt)) {
    return running(`${since}, and has told nothing but its beginning${compared}`, false);
  }
  const summary = `it started ${ago(startedAt, now)} on server ${name} and was last heard of ${ago(heardAt, now)}, nor does the server poll: it still runs without a word, or the server or its network is gone${compared}`;
  const advice = ["look whether the server still runs and reaches the network", LOOK_AT_SIGNALS];
  return { ...stuck, summary, advice };
};

/** The agent has been through the document with it, and no word of it has come. */
export const applied = (
  facts: DiagnosisFacts,
  name: string,
  appliedAt: number,
  now: number,
): Verdict => {
  const { hasToolSignalled, hasServerSignalled, warnings } = facts;
  const told = `server ${name} applied it ${ago(appliedAt, now)}`;
  const misconfigured = {
    stage: 4,
    cause: "agent_misconfigured",
    advice: [LOOK_AT_HOOKS],
  } as const;
  const cannotSignal = { stage: 6, cause: "cannot_signal" } as const;
  // They take over the echo before their hooks run, and poll with it although the run has failed in between.
  const isStock = facts.server.tools === null;
  if (hasNoHook(facts)) {
    const summary = `${told}, and has no hook for ${nameOf(facts)}`;
    return { ...misconfigured, certain: true, summary };
  }
  if (now - appliedAt < SIGNAL_GRACE_MS) {
    return running(`${told}; its signal is due`, false);
  }
  const isUnknown = warnings.some(({ rule }) => NO_HOOK_RULES.includes(rule));
  if (isUnknown && !hasToolSignalled) {
    const summary = `${told} and has signalled nothing: most likely it has no hook for ${nameOf(facts)}`;
    return { ...misconfigured, certain: false, summary };
  }
  if (hasServerSignalled && !hasToolSignalled) {
    const summary = `${told} and has signalled nothing; it has signalled for other tools, never for ${nameOf(facts)}: most likely the hook is missing or broken`;
    return { ...misconfigured, certain: false, summary };
  }
  const advice = [LOOK_AT_SIGNALS, LOST_RESULT, LOOK_AT_HOOKS, ...(isStock ? [FAILED_RUN] : [])];
  const summary = hasToolSignalled
    ? `${told} and has signalled nothing, though it has for ${nameOf(facts)} before: the signal is lost${isStock ? ", or its configuration run fails before the hook" : ""}`
    : `${told}, and no signal of this server has ever arrived: it cannot signal, or has no hook for ${nameOf(facts)}`;
  return { ...cannotSignal, certain: false, summary, advice };
};

const NO_HOOK_RULES: readonly string[] = [
  "unknown_tool",
  "group_without_signal",
  "component_without_entry",
];

/** The agent has it, and nothing more is known. */
export const fetched = (
  facts: DiagnosisFacts,
  name: string,
  fetchedAt: number,
  now: number,
): Verdict => {
  const { server } = facts;
  const lastPollAt = server.lastPollAt ?? fetchedAt;
  const told = `server ${name} fetched it ${ago(fetchedAt, now)}`;
  if (hasNoHook(facts)) {
    const summary = `${told}, and says that it has no hook for ${nameOf(facts)}`;
    const misconfigured = { stage: 4, cause: "agent_misconfigured", certain: true } as const;
    return { ...misconfigured, summary, advice: [LOOK_AT_HOOKS] };
  }
  if (polledAfter(facts, fetchedAt)) {
    const isEchoing = server.appliedVersion !== null;
    return {
      stage: 4,
      cause: "agent_misconfigured",
      certain: isEchoing,
      summary: `${told} and polls on, last ${ago(lastPollAt, now)}, but has not applied it${isEchoing ? "" : ", or cannot tell so"}`,
      advice: [FAILED_RUN, LOOK_AT_HOOKS],
    };
  }
  const silentMs = now - fetchedAt;
  const compared = comparedWithEarlier(facts);
  if (silentMs < NOT_POLLING_MS) {
    return running(`${told}; it runs there, or is about to${compared}`, false);
  }
  const both = `${told} and has been silent since: it runs there, or the agent or the server is gone${compared}`;
  if (!isOverdue(facts, silentMs)) return running(both, false);
  const advice = ["look whether the server and its agent still run, and what the script does"];
  return { stage: 5, cause: "not_polling", certain: false, summary: both, advice };
};
