import type { Retention } from "#lib/ports/ports.ts";

export const RETENTION_DAYS_DEFAULT = 30;
export const RETENTION_DAYS_MAX = 3_650;
/** Heat's max_events_per_stack. */
export const EVENTS_PER_STACK_MAX_DEFAULT = 1_000;
/** A listing reads all events, and so does the round that removes the oldest. */
export const EVENTS_PER_STACK_MAX_MAX = 100_000;

const DAY_MS = 24 * 60 * 60 * 1_000;

export const retentionOf = (
  days: number = RETENTION_DAYS_DEFAULT,
  eventsPerStackMax: number = EVENTS_PER_STACK_MAX_DEFAULT,
): Retention => ({ deletedStackMs: days * DAY_MS, eventsPerStackMax });
