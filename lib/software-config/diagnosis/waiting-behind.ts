/** Agents run one delivery at a time, in the document's order, and do not poll during a run. */

import {
  type DiagnosisFacts,
  type Neighbour,
  type Verdict,
  verdictOf,
  type WaitingBehind,
} from "./facts.ts";
import { HEARTBEAT_SILENCE_MS, POLL_NOTE_INTERVAL_MS } from "./limits.ts";
import { endAskedFor, isOwnAgent } from "./signs-of-life.ts";
import { ago, CHECK_RUN, lastLine, span, stopRun } from "./wording.ts";

export const blockerOf = ({ server, delivery, neighbours }: DiagnosisFacts): Neighbour | null => {
  if (delivery.startedAt !== null || delivery.appliedAt !== null) return null;
  const lastPollAt = server.lastPollAt ?? 0;
  const open = neighbours.filter((neighbour) => neighbour.delivery.endedAt === null);
  const isFetched = delivery.fetchedAt !== null;
  return (
    open.find((neighbour) => reportsRun(neighbour, lastPollAt)) ??
    open.find((neighbour) => mayRunSilently(neighbour, lastPollAt, isFetched)) ??
    null
  );
};

const reportsRun = ({ delivery }: Neighbour, lastPollAt: number): boolean =>
  delivery.startedAt !== null &&
  delivery.appliedAt === null &&
  lastPollAt < (delivery.heardAt ?? delivery.startedAt) + POLL_NOTE_INTERVAL_MS;

/**
 * Stock agents report nothing. A delivery that they fetched and did not answer may run until they
 * poll again.
 */
const mayRunSilently = (
  { delivery, isBefore }: Neighbour,
  lastPollAt: number,
  isFetched: boolean,
): boolean =>
  delivery.fetchedAt !== null &&
  delivery.appliedAt === null &&
  (isBefore || !isFetched) &&
  lastPollAt < delivery.fetchedAt + POLL_NOTE_INTERVAL_MS;

export const waitingBehindOf = ({
  deploymentId,
  resourceName,
  delivery,
}: Neighbour): WaitingBehind => ({
  deploymentId,
  resourceName,
  since: delivery.startedAt ?? delivery.fetchedAt ?? 0,
});

const behindOvertaken = (
  blocker: Neighbour,
  name: string,
  facts: DiagnosisFacts,
  now: number,
): Verdict => {
  const { since } = waitingBehindOf(blocker);
  const { heardAt, startedAt } = blocker.delivery;
  const report = heardAt === null ? "" : `, last report ${ago(heardAt, now)}`;
  const line = lastLine(blocker.output);
  const asked = endAskedFor(blocker.delivery, now);
  const summary = [
    `server ${name} still runs an earlier delivery of ${blocker.resourceName}, which a newer request has overtaken`,
    ` (since ${span(now - since)}${report}${line === null ? "" : `, last line ${line}`})${asked}`,
    "; this one begins when that run ends",
  ].join("");
  const isHeard = startedAt !== null && now - (heardAt ?? startedAt) < HEARTBEAT_SILENCE_MS;
  const advice = isOwnAgent(facts) ? [stopRun(facts.deployment.id)] : [KILL_RUN];
  return verdictOf("waiting_behind", isHeard, summary, isHeard ? advice : [...advice, CHECK_RUN]);
};

const KILL_RUN =
  "to end that run now, kill it on the server: an agent that is not Hearth's cannot be told to";

export const waitingBehind = (
  blocker: Neighbour,
  name: string,
  facts: DiagnosisFacts,
  now: number,
): Verdict => {
  if (blocker.isOvertaken) return behindOvertaken(blocker, name, facts, now);
  const { resourceName, since } = waitingBehindOf(blocker);
  const { startedAt, heardAt } = blocker.delivery;
  const isHeard = startedAt !== null && now - (heardAt ?? startedAt) < HEARTBEAT_SILENCE_MS;
  const run =
    startedAt === null
      ? `fetched ${resourceName} ${ago(since, now)} and has not polled since`
      : `has been running ${resourceName} for ${span(now - since)}`;
  const summary = `server ${name} ${run}; agents run one deployment at a time`;
  const advice = isHeard ? [] : [`check the deployment ${resourceName}`];
  return verdictOf("waiting_behind", isHeard, summary, advice);
};
