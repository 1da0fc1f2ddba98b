/** A run as seen from outside: whether it goes on, and how long earlier ones took. */
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

/** Hearth's agent names its tools, reports the start of each run, and then each minute of it. */
export const isOwnAgent = ({ server }: Pick<DiagnosisFacts, "server">): boolean =>
  server.tools !== null;

/** The end of a sentence; empty if no earlier run is known. */
export const comparedWithEarlier = ({ earlierRunsMs }: DiagnosisFacts): string =>
  earlierRunsMs.length === 0 ? "" : `; earlier runs took up to ${span(Math.max(...earlierRunsMs))}`;

/** The end of a sentence about a run; empty if nobody has asked for its end. */
export const endAskedFor = ({ stopAskedAt }: DiagnosisFacts["delivery"], now: number): string =>
  stopAskedAt === null ? "" : `; its end was asked for ${ago(stopAskedAt, now)}`;

export const isOverdue = ({ earlierRunsMs }: DiagnosisFacts, ms: number): boolean =>
  earlierRunsMs.length === 0
    ? ms >= UNKNOWN_RUN_MS_MAX
    : ms >= Math.max(OVERDUE_FACTOR * Math.max(...earlierRunsMs), OVERDUE_MS_MIN);
