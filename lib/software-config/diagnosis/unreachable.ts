/**
 * Whether a deployment waits for a server that cannot be reached. A user may give up the DELETE of
 * such a deployment. A DELETE for a server that was never seen ends by itself.
 */
import type { DeliveryFindings } from "#lib/model/sighting.ts";
import type { DiagnosisFacts } from "./facts.ts";
import { UNKNOWN_RUN_MS_MAX, UNREACHABLE_MS_MIN } from "./limits.ts";
import { ago } from "./spans.ts";

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

export const whyUnreachable = (facts: DiagnosisFacts, now: number): string | null => {
  const { serverName } = facts;
  if (serverName === null) return null;
  const seenAt = lastSeenAt(facts);
  if (seenAt === null) return `server ${serverName} has never polled`;
  if (now - seenAt < silenceMsMax(facts)) return null;
  return `server ${serverName} was last seen ${ago(seenAt, now)}`;
};
