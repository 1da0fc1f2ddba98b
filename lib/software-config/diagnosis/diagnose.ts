/**
 * Why a deployment is where it is: a pure function of what is known. The rules are tried from the last thing that can
 * have happened to the first, since whatever came later has proved what is before it.
 */
import { applied, fetched, refusedSignal, started, unsentResult } from "./after-fetch.ts";
import { neverPolled, notBooted, notFetched } from "./before-fetch.ts";
import type {
  Diagnosis,
  DiagnosisFacts,
  DiagnosisState,
  HistoryEntry,
  Neighbour,
  Verdict,
  WaitingBehind,
} from "./facts.ts";
import { HEARTBEAT_SILENCE_MS, POLL_NOTE_INTERVAL_MS } from "./limits.ts";
import { ago, span } from "./spans.ts";

const isOver = ({ deployment }: DiagnosisFacts): boolean => deployment.status !== "IN_PROGRESS";

/** While it is under way nothing but publishing has written its record. */
const publishedAt = ({ deployment, delivery, awaitsSignal }: DiagnosisFacts): number | null => {
  if (delivery.publishedAt !== null) return delivery.publishedAt;
  const { status, createdAt, updatedAt } = deployment;
  if (status === "IN_PROGRESS" || !awaitsSignal) return updatedAt;
  return createdAt === updatedAt ? createdAt : null;
};

const historyOf = (facts: DiagnosisFacts): readonly HistoryEntry[] => {
  const { deployment, delivery, awaitsSignal } = facts;
  const endedAt = awaitsSignal ? deployment.updatedAt : null;
  const known: readonly (readonly [DiagnosisState, number | null])[] = [
    ["PUBLISHED", publishedAt(facts)],
    ["FETCHED", delivery.fetchedAt],
    ["RUNNING", delivery.startedAt],
    ["APPLIED", delivery.appliedAt],
    [deployment.status, isOver(facts) ? (delivery.endedAt ?? endedAt) : null],
  ];
  return known
    .flatMap(([state, time]) => (time === null ? [] : [{ state, time }]))
    .toSorted((left, right) => left.time - right.time);
};

const stateOf = (facts: DiagnosisFacts): DiagnosisState => {
  const { deployment, delivery, awaitsSignal } = facts;
  if (isOver(facts) && awaitsSignal) return deployment.status;
  if (delivery.startedAt !== null) return "RUNNING";
  if (delivery.appliedAt !== null) return "APPLIED";
  if (delivery.fetchedAt !== null) return "FETCHED";
  return isOver(facts) ? deployment.status : "PUBLISHED";
};

/** The agent has said that it runs the neighbour, and has not polled since it was last heard of. */
const isBusyWith = ({ delivery }: Neighbour, lastPollAt: number): boolean =>
  delivery.startedAt !== null &&
  delivery.appliedAt === null &&
  lastPollAt < (delivery.heardAt ?? delivery.startedAt) + POLL_NOTE_INTERVAL_MS;

/** Stock agents say nothing: what they have fetched and not answered for they run, as long as they do not poll. */
const maySilentlyRun = (
  { delivery, isBefore }: Neighbour,
  lastPollAt: number,
  isFetched: boolean,
): boolean =>
  delivery.fetchedAt !== null &&
  delivery.appliedAt === null &&
  (isBefore || !isFetched) &&
  lastPollAt < delivery.fetchedAt + POLL_NOTE_INTERVAL_MS;

/** Agents run one delivery at a time, in the document's order, and do not poll meanwhile. */
const blockerOf = ({ server, delivery, neighbours }: DiagnosisFacts): Neighbour | null => {
  if (delivery.startedAt !== null || delivery.appliedAt !== null) return null;
  const lastPollAt = server.lastPollAt ?? 0;
  const open = neighbours.filter((neighbour) => neighbour.delivery.endedAt === null);
  const isFetched = delivery.fetchedAt !== null;
  return (
    open.find((neighbour) => isBusyWith(neighbour, lastPollAt)) ??
    open.find((neighbour) => maySilentlyRun(neighbour, lastPollAt, isFetched)) ??
    null
  );
};

const waitingFor = ({ deploymentId, resourceName, delivery }: Neighbour): WaitingBehind => ({
  deploymentId,
  resourceName,
  since: delivery.startedAt ?? delivery.fetchedAt ?? 0,
});

const waitingBehind = (blocker: Neighbour, name: string, now: number): Verdict => {
  const { resourceName, since } = waitingFor(blocker);
  const { startedAt, heardAt } = blocker.delivery;
  const isHeard = startedAt !== null && now - (heardAt ?? startedAt) < HEARTBEAT_SILENCE_MS;
  const what = startedAt === null ? "seems to have been running" : "has been running";
  return {
    stage: null,
    cause: "waiting_behind",
    certain: isHeard,
    summary: `server ${name} ${what} ${resourceName} for ${span(now - since)}, and runs one at a time`,
    advice: isHeard ? [] : [`see what has become of ${resourceName}`],
  };
};

const finished = ({ deployment, delivery }: DiagnosisFacts, now: number): Verdict => ({
  stage: null,
  cause: "finished",
  certain: true,
  summary: `${deployment.action || "it"} ended ${deployment.status} ${ago(delivery.endedAt ?? deployment.updatedAt, now)}: ${deployment.statusReason}`,
  advice: [],
});

const notAwaited = ({ delivery }: DiagnosisFacts, name: string, now: number): Verdict => {
  const { fetchedAt, appliedAt } = delivery;
  const seen =
    fetchedAt === null
      ? `server ${name} has not fetched it`
      : `server ${name} fetched it ${ago(fetchedAt, now)}${appliedAt === null ? "" : ` and applied it ${ago(appliedAt, now)}`}`;
  const summary = `no result is awaited (NO_SIGNAL); ${seen}`;
  return { stage: null, cause: "not_awaited", certain: true, summary, advice: [] };
};

/** Where no stack waits the result is set from elsewhere, and a server that has applied it has done its part. */
const appliedElsewhere = (name: string, appliedAt: number, now: number): Verdict => ({
  stage: null,
  cause: "not_awaited",
  certain: true,
  summary: `server ${name} applied it ${ago(appliedAt, now)}; no stack waits for it, and its result is set by whoever has made it`,
  advice: [],
});

const unknownServer = ({ deployment }: DiagnosisFacts, now: number): Verdict => ({
  stage: null,
  cause: "unknown_server",
  certain: true,
  summary: `its server is none of Hearth's, so nothing is known of it; last changed ${ago(deployment.updatedAt, now)}`,
  advice: ["whoever runs the server sets the deployment's result"],
});

const verdictOf = (facts: DiagnosisFacts, blocker: Neighbour | null, now: number): Verdict => {
  const { serverName, delivery, server, deployment } = facts;
  if (!facts.awaitsSignal) return notAwaited(facts, serverName ?? "(unknown)", now);
  if (isOver(facts)) return finished(facts, now);
  if (serverName === null) return unknownServer(facts, now);
  const since = publishedAt(facts) ?? deployment.updatedAt;
  const refused = refusedSignal(facts, serverName, since, now);
  const proved =
    notBooted(facts, serverName, now) ??
    // Why it was refused says more than that it was.
    (refused?.certain ? refused : null) ??
    unsentResult(facts, serverName, now) ??
    refused;
  if (proved !== null) return proved;
  if (delivery.startedAt !== null) return started(facts, serverName, delivery.startedAt, now);
  if (delivery.appliedAt !== null) {
    return facts.isStandalone
      ? appliedElsewhere(serverName, delivery.appliedAt, now)
      : applied(facts, serverName, delivery.appliedAt, now);
  }
  if (blocker !== null) return waitingBehind(blocker, serverName, now);
  if (delivery.fetchedAt !== null) return fetched(facts, serverName, delivery.fetchedAt, now);
  return server.lastPollAt === null
    ? neverPolled(facts, serverName, since, now)
    : notFetched(facts, serverName, since, now);
};

/** What the lint found is advice as long as it is not over. */
const withWarnings = (verdict: Verdict, { warnings }: DiagnosisFacts): Verdict =>
  verdict.cause === "finished"
    ? verdict
    : { ...verdict, advice: [...verdict.advice, ...warnings.map(({ message }) => message)] };

export const diagnose = (facts: DiagnosisFacts, now: number): Diagnosis => {
  const blocker = isOver(facts) ? null : blockerOf(facts);
  const verdict = verdictOf(facts, blocker, now);
  return {
    state: stateOf(facts),
    history: historyOf(facts),
    verdict: withWarnings(verdict, facts),
    waitingBehind:
      blocker !== null && verdict.cause === "waiting_behind" ? waitingFor(blocker) : null,
  };
};
