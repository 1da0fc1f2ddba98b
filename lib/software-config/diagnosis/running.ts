import type { DiagnosisFacts } from "./facts.ts";
import {
  OVERDUE_FACTOR,
  OVERDUE_MS_MIN,
  POLL_NOTE_INTERVAL_MS,
  UNKNOWN_RUN_MS_MAX,
} from "./limits.ts";
import { ago, span } from "./spans.ts";

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
