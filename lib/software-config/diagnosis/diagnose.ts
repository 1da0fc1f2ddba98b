/**
 * Why a deployment is where it is: a pure function of the facts. The rules go from the last
 * possible event to the first, because a later event proves all earlier ones.
 */

import { applied, fetched, started } from "./after-fetch.ts";
import { neverPolled, notBooted, notFetched } from "./before-fetch.ts";
import {
  certainly,
  type Diagnosis,
  type DiagnosisFacts,
  type DiagnosisState,
  type HistoryEntry,
  type Neighbour,
  type Verdict,
} from "./facts.ts";
import { refusedSignal, unsentResult } from "./refusals.ts";
import { whyUnreachable } from "./signs-of-life.ts";
import { blockerOf, waitingBehind, waitingBehindOf } from "./waiting-behind.ts";
import {
  abandonUnreachable,
  ago,
  CHECK_SERVER_ID,
  lastErrorLines,
  OTHER_SERVER,
  readLogs,
  SET_RESULT,
} from "./wording.ts";

const isOver = ({ deployment }: DiagnosisFacts): boolean => deployment.status !== "IN_PROGRESS";

/** While the deployment is in progress, only publishing has written its record. */
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

export const diagnose = (facts: DiagnosisFacts, now: number): Diagnosis => {
  const blocker = isOver(facts) ? null : blockerOf(facts);
  const verdict = withAbandoning(judge(facts, blocker, now), facts, now);
  return {
    state: stateOf(facts),
    history: historyOf(facts),
    verdict: withWarnings(verdict, facts),
    waitingBehind:
      blocker !== null && verdict.cause === "waiting_behind" ? waitingBehindOf(blocker) : null,
  };
};

const judge = (facts: DiagnosisFacts, blocker: Neighbour | null, now: number): Verdict => {
  const { serverName, delivery, server, deployment } = facts;
  if (!facts.awaitsSignal) return notAwaited(facts, serverName ?? "(unknown)", now);
  if (isOver(facts)) return finished(facts, now);
  if (serverName === null) return unknownServer(facts, now);
  const since = publishedAt(facts) ?? deployment.updatedAt;
  const refused = refusedSignal(facts, serverName, since, now);
  const proved =
    notBooted(facts, serverName, now) ??
    // A refusal's reason says more than the agent's report of a failed delivery.
    (refused?.certain ? refused : null) ??
    unsentResult(facts, serverName, now) ??
    refused;
  if (proved !== null) return proved;
  if (delivery.startedAt !== null) return started(facts, serverName, delivery.startedAt, now);
  if (delivery.appliedAt !== null) {
    return facts.isStandalone
      ? appliedStandalone(serverName, delivery.appliedAt, now)
      : applied(facts, serverName, delivery.appliedAt, now);
  }
  if (blocker !== null) return waitingBehind(blocker, serverName, facts, now);
  if (delivery.fetchedAt !== null) return fetched(facts, serverName, delivery.fetchedAt, now);
  return server.lastPollAt === null
    ? neverPolled(facts, serverName, since, now)
    : notFetched(facts, serverName, since, now);
};

const notAwaited = ({ delivery }: DiagnosisFacts, name: string, now: number): Verdict => {
  const { fetchedAt, appliedAt } = delivery;
  const application = appliedAt === null ? "" : ` and applied it ${ago(appliedAt, now)}`;
  const seen =
    fetchedAt === null
      ? `server ${name} has not fetched it`
      : `server ${name} fetched it ${ago(fetchedAt, now)}${application}`;
  return certainly("not_awaited", `no result is expected (NO_SIGNAL); ${seen}`);
};

const QUOTED_LINES_MAX = 3;

const finished = ({ deployment, delivery, output }: DiagnosisFacts, now: number): Verdict => {
  const { id, action, status, statusReason, updatedAt } = deployment;
  const ended = `${action || "it"} ended ${status} ${ago(delivery.endedAt ?? updatedAt, now)}: ${statusReason}`;
  if (status !== "FAILED") return certainly("finished", ended);
  const lines = lastErrorLines(output, QUOTED_LINES_MAX);
  if (lines.length > 0) {
    const summary = `${ended}; the end of stderr: ${lines.join(", ")}`;
    return certainly("finished", summary, [readLogs(id, "stderr")]);
  }
  const hasPrinted = output !== null && output.deploy_stdout.trim() !== "";
  return certainly("finished", ended, hasPrinted ? [readLogs(id, "stdout")] : []);
};

const unknownServer = (
  { deployment: { serverId, updatedAt }, isServerDeleted }: DiagnosisFacts,
  now: number,
): Verdict => {
  const changed = `last changed ${ago(updatedAt, now)}`;
  return isServerDeleted
    ? certainly(
        "unknown_server",
        `its server (${serverId}) is deleted, so no agent will run it; ${changed}`,
        [OTHER_SERVER, SET_RESULT],
      )
    : certainly(
        "unknown_server",
        `Hearth does not manage its server (${serverId}) and cannot follow the run; ${changed}`,
        [CHECK_SERVER_ID, SET_RESULT],
      );
};

/** Without a stack the result comes from elsewhere, so the server has done its part. */
const appliedStandalone = (name: string, appliedAt: number, now: number): Verdict =>
  certainly(
    "not_awaited",
    `server ${name} applied it ${ago(appliedAt, now)}; no stack waits for it, so its creator must set its result`,
  );

export const mayBeAbandoned = (facts: DiagnosisFacts, now: number): boolean =>
  facts.awaitsSignal &&
  !facts.isStandalone &&
  !isOver(facts) &&
  facts.deployment.action === "DELETE" &&
  whyUnreachable(facts, now) !== null;

const withAbandoning = (verdict: Verdict, facts: DiagnosisFacts, now: number): Verdict =>
  mayBeAbandoned(facts, now)
    ? { ...verdict, advice: [...verdict.advice, abandonUnreachable(facts.deployment.id)] }
    : verdict;

const withWarnings = (verdict: Verdict, { warnings }: DiagnosisFacts): Verdict =>
  verdict.cause === "finished"
    ? verdict
    : { ...verdict, advice: [...verdict.advice, ...warnings.map(({ message }) => message)] };
