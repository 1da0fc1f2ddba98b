/** The limits of the protocol. Cloud values; docs/convergence.md says how they depend on each other. */
import { STACK_TIMEOUT_MINS_MAX } from "#lib/stack/limits.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A visit ends within this; the platform stops it otherwise. */
export const VISIT_MS_MAX = 60 * SECOND_MS;
/** Longer than a visit, so that a live worker never loses its lease to the clock. */
export const LEASE_MS = 90 * SECOND_MS;

/** A visit goes on with a successor at most so often, and no longer than this (P6). */
export const INLINE_NODES_MAX = 64;
export const INLINE_MS_MAX = 10 * SECOND_MS;
/** What a visit needs left of its invocation to go on with one more node. */
export const INLINE_REMAINING_MS_MIN = 15 * SECOND_MS;

/** How long a visit that found its row busy stays away (P3.3): until the row is due to be free, within these bounds. */
export const WAIT_MS_MIN = 1 * SECOND_MS;
export const WAIT_MS_MAX = 15 * SECOND_MS;
/** A poll may be this early, for clocks and queues that disagree. */
export const POLL_EARLY_MS_MAX = 1 * SECOND_MS;
/** How often one visit looks again because a signal came while it was looking. */
export const LOOKS_MAX = 8;
/** How often one visit reads a row anew because a write was refused by a bumped version. */
export const CLAIM_TRIES_MAX = 3;

/** SyncPoints: input data lies inside up to this fan-in, above it beside; above the second, buckets report to a parent. */
export const INLINE_FAN_IN_MAX = 16;
export const BUCKET_MEMBERS_MAX = 128;
/** NodeData above this is a pointer: the waiting visit reads the row. */
export const NODE_DATA_BYTES_MAX = 4_096;
export const SYNC_POINT_MARGIN_MS = DAY_MS;

/** Stamps and deletions are sent this many at a time. */
export const PARALLEL_WRITES_MAX = 25;
const OPERATION_MS_MAX = 7 * DAY_MS;
const QUEUE_RETENTION_MS = 14 * DAY_MS;
const DEAD_LETTER_RETENTION_MS = 14 * DAY_MS;
/** P10's E: no message or worker can come for an expired row any more, and no traversal that runs names it. */
export const TOMBSTONE_MS =
  QUEUE_RETENTION_MS +
  DEAD_LETTER_RETENTION_MS +
  STACK_TIMEOUT_MINS_MAX * MINUTE_MS +
  OPERATION_MS_MAX +
  DAY_MS;

/** P12: what was busy at all its deliveries is sent anew, to be delivered after this. */
export const SENT_ANEW_MS = MINUTE_MS;

/** The sweeper lets anything overdue be late by this before it sends a message for it. */
export const OVERDUE_MS_MIN = 30 * SECOND_MS;
/** A FAILED stack without operations is left alone by the sweeper after this: no visit lives so long. */
export const SETTLE_MS_MIN = LEASE_MS + VISIT_MS_MAX + 10 * MINUTE_MS;

export const REASON_CHARS_MAX = 8_192;
