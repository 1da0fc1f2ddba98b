/** The limits of the protocol. docs/rules/limits.md says how they depend on each other. */
import { STACK_TIMEOUT_MINS_MAX } from "#lib/stack/limits.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * The longest a visit can take: then the platform stops it.
 * @limit a visit of a resource
 * @beyond AWS ends it. When its lease has ended, another worker visits the resource
 */
export const VISIT_MS_MAX = 60 * SECOND_MS;
/**
 * Longer than a visit, so that a live worker never loses its lease to the clock.
 * @limit lease of a visit: so long a crash blocks a resource on AWS
 * @beyond the next visit may begin
 */
export const LEASE_MS = 90 * SECOND_MS;

/** The most nodes that one message visits, and the longest time for them (P6). */
export const INLINE_NODES_MAX = 64;
export const INLINE_MS_MAX = 10 * SECOND_MS;
export const INLINE_REMAINING_MS_MIN = 15 * SECOND_MS;

/** A visit of a busy row waits until the row is due to be free, within these bounds (P3.3). */
export const WAIT_MS_MIN = 1 * SECOND_MS;
export const WAIT_MS_MAX = 15 * SECOND_MS;
/** A poll may be this early, because clocks and queues disagree. */
export const POLL_EARLY_MS_MAX = 1 * SECOND_MS;
/** The longest first wait with a kept lease (P26), for which a delete has to wait too. */
export const KEPT_WAIT_MS_MAX = 4 * SECOND_MS;
/** The most characters of a handle and an id that a message carries (P26). */
export const KEPT_CHARS_MAX = 2_048;
export const LOOKS_MAX = 8;
export const CLAIM_TRIES_MAX = 3;

/** Up to this fan-in a SyncPoint contains its input data. Above, the data has items of its own. */
export const INLINE_FAN_IN_MAX = 16;
/** Above this fan-in a SyncPoint has buckets, which report to a parent. */
export const BUCKET_MEMBERS_MAX = 128;
/** A larger reference is not in NodeData: the waiting visit reads it from the row. */
export const NODE_DATA_BYTES_MAX = 4_096;
export const SYNC_POINT_MARGIN_MS = DAY_MS;

/**
 * The rows of a traversal that mints more are spread over partitions. One partition takes two
 * writes for each of so many rows in four seconds.
 */
export const ROWS_TOGETHER_MAX = 2_000;

/**
 * With less time left, a prepare goes on in its next message. This much time is enough to list
 * 100,000 rows and to store their graph. A round is shorter than OVERDUE_MS_MIN, so the sweeper
 * sends no second message.
 */
export const PREPARE_REMAINING_MS_MIN = 35 * SECOND_MS;
/** SyncPoints of a larger traversal expire, because deleting each costs more than keeping it. */
export const SYNC_POINTS_DELETED_MAX = 2_500;
/** A graph with more nodes is stored in parts of this size, which a visit reads one by one. */
export const GRAPH_PART_NODES_MAX = 512;
/** A store may remove expired items in any order, so parts expire after their header. */
export const GRAPH_PART_MARGIN_MS = 7 * DAY_MS;

export const PARALLEL_CALLS_MAX = 25;

const OPERATION_MS_MAX = 7 * DAY_MS;
const QUEUE_RETENTION_MS = 14 * DAY_MS;
const DEAD_LETTER_RETENTION_MS = 14 * DAY_MS;
/** When a row expires, no message, worker or running traversal can come for it (P10). */
export const TOMBSTONE_MS =
  QUEUE_RETENTION_MS +
  DEAD_LETTER_RETENTION_MS +
  STACK_TIMEOUT_MINS_MAX * MINUTE_MS +
  OPERATION_MS_MAX +
  DAY_MS;

/** A message is sent anew this late when the service was busy at every delivery (P12). */
export const SENT_ANEW_MS = MINUTE_MS;

export const OVERDUE_MS_MIN = 30 * SECOND_MS;
export const SWEPT_STACKS_PARALLEL_MAX = 25;
export const UNSETTLED_PAGE_STACKS_MAX = 500;
/** A round ends before the next one begins. */
export const SWEEP_ROUND_MS_MAX = 50 * SECOND_MS;
export const SWEEP_REMAINING_MS_MIN = 60 * SECOND_MS;
export const BATCH_READ_TRIES_MAX = 5;
/** More overdue visits of a stack may be a backlog, which more messages would not shorten. */
export const BACKLOG_VISITS_MIN = 100;
export const BACKLOG_PARTS = 16;
/** No visit of a stack's traversals runs this long after its end (P16). */
export const SETTLE_MS_MIN = LEASE_MS + VISIT_MS_MAX + 10 * MINUTE_MS;

/** The most rows that are read of a chain of replacements (P17). */
export const CHAIN_ROWS_MAX = 32;

/**
 * The longest status reason.
 * @limit status reason of a resource or stack
 * @beyond the middle is left out
 */
export const REASON_CHARS_MAX = 8_192;
