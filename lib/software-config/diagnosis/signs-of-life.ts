/** What the sightings of a server show of its agent and of the runs there. */
import type { DeliveryFindings } from "#lib/model/sighting.ts";
import type { DiagnosisFacts } from "./facts.ts";
import {
  OVERDUE_FACTOR,
  OVERDUE_MS_MIN,
  POLL_NOTE_INTERVAL_MS,
  UNKNOWN_RUN_MS_MAX,
  UNREACHABLE_MS_MIN,
} from "./limits.ts";
import { ago, span } from "./wording.ts";

/**
 * Agents do not poll during a run. The next poll is noted POLL_NOTE_INTERVAL_MS after the last one
 * at the earliest.
 */
export const hasPolledAfter = ({ server }: DiagnosisFacts, time: number): boolean =>
  (server.lastPollAt ?? 0) >= time + POLL_NOTE_INTERVAL_MS;

/**
 * Only Hearth's agent reports its tools. It also reports the start of each run, and then every
 * minute.
 */
export const isOwnAgent = ({ server }: Pick<DiagnosisFacts, "server">): boolean =>
  server.tools !== null;

export const comparedWithEarlier = ({ earlierRunsMs }: DiagnosisFacts): string =>
  earlierRunsMs.length === 0 ? "" : `; earlier runs took up to ${span(Math.max(...earlierRunsMs))}`;

export const endAskedFor = ({ stopAskedAt }: DiagnosisFacts["delivery"], now: number): string =>
  stopAskedAt === null ? "" : `; its end was asked for ${ago(stopAskedAt, now)}`;

export const isOverdue = ({ earlierRunsMs }: DiagnosisFacts, ms: number): boolean =>
  earlierRunsMs.length === 0
    ? ms >= UNKNOWN_RUN_MS_MAX
    : ms >= Math.max(OVERDUE_FACTOR * Math.max(...earlierRunsMs), OVERDUE_MS_MIN);

const lastSeenAt = ({ server, delivery, neighbours }: DiagnosisFacts): number | null => {
  const times = [
    server.lastPollAt,
    delivery.heardAt,
    ...neighbours.map((other) => other.delivery.heardAt),
  ];
  const seen = times.filter((time) => time !== null);
  return seen.length === 0 ? null : Math.max(...seen);
};

const isUnderWay = ({ fetchedAt, endedAt }: DeliveryFindings): boolean =>
  fetchedAt !== null && endedAt === null;

/** Agents do not poll while they run something. */
const silenceMsMax = ({ delivery, neighbours }: DiagnosisFacts): number =>
  [delivery, ...neighbours.map((other) => other.delivery)].some(isUnderWay)
    ? UNKNOWN_RUN_MS_MAX
    : UNREACHABLE_MS_MIN;

export const wasNeverSeen = (facts: DiagnosisFacts): boolean =>
  facts.serverName !== null && !facts.hasServerSignalled && lastSeenAt(facts) === null;

/**
 * Whether a deployment waits for a server that cannot be reached. A user may give up the DELETE of
 * such a deployment. A DELETE for a server that was never seen ends by itself.
 */
export const whyUnreachable = (facts: DiagnosisFacts, now: number): string | null => {
  const { serverName } = facts;
  if (serverName === null) return null;
  const seenAt = lastSeenAt(facts);
  if (seenAt === null) return `server ${serverName} has never polled`;
  if (now - seenAt < silenceMsMax(facts)) return null;
  return `server ${serverName} was last seen ${ago(seenAt, now)}`;
};
