/** The limits of the protocol. docs/convergence-reference.md says how they depend on each other. */
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
/** The least remaining time of its invocation with which a visit goes on to one more node. */
export const INLINE_REMAINING_MS_MIN = 15 * SECOND_MS;

/**
 * How long a visit of a busy row stays away (P3.3): until the row is due to be free, within these
 * bounds.
 */
export const WAIT_MS_MIN = 1 * SECOND_MS;
export const WAIT_MS_MAX = 15 * SECOND_MS;
/** A poll may be this early, because clocks and queues disagree. */
export const POLL_EARLY_MS_MAX = 1 * SECOND_MS;
/**
 * P26: the longest first wait during which a worker keeps the lease. A delete waits as long for it,
 * and a message that is lost costs the rest of the lease.
 */
export const KEPT_WAIT_MS_MAX = 4 * SECOND_MS;
/** P26: the most characters of a handle and an id that travel in a message. */
export const KEPT_CHARS_MAX = 2_048;
/** How often one visit asks the provider again because a signal came meanwhile. */
export const LOOKS_MAX = 8;
/** How often one visit reads its row because another writer has changed it. */
export const CLAIM_TRIES_MAX = 3;

/**
 * A SyncPoint stores its input data itself up to this fan-in. Above it, the data has its own items.
 */
export const INLINE_FAN_IN_MAX = 16;
/** Above this fan-in a SyncPoint has buckets, which report to a parent. */
export const BUCKET_MEMBERS_MAX = 128;
/** A larger reference does not travel in NodeData: the waiting visit reads it from the row. */
export const NODE_DATA_BYTES_MAX = 4_096;
export const SYNC_POINT_MARGIN_MS = DAY_MS;

/**
 * The rows that a traversal with more names than this mints are spread over partitions. One
 * partition takes two writes of each of so many rows in four seconds.
 */
export const ROWS_TOGETHER_MAX = 2_000;

/**
 * With less time left a prepare stamps no more rows and sends no more leaves, but goes on in its
 * next message. It takes the listing of 100,000 rows and the storing of their graph. A round is
 * shorter than OVERDUE_MS_MIN, so the sweeper sends no second one.
 */
export const PREPARE_REMAINING_MS_MIN = 35 * SECOND_MS;
/** The points of a larger traversal expire, since to delete each costs more than to keep it. */
export const SYNC_POINTS_DELETED_MAX = 2_500;
/** A graph with more nodes is stored in parts of so many, which a visit reads one by one. */
export const GRAPH_PART_NODES_MAX = 512;
/** A store may remove what has expired days later, and in any order. No part goes first. */
export const GRAPH_PART_MARGIN_MS = 7 * DAY_MS;

/** The most calls that one worker makes at the same time. */
export const PARALLEL_CALLS_MAX = 25;

const OPERATION_MS_MAX = 7 * DAY_MS;
const QUEUE_RETENTION_MS = 14 * DAY_MS;
const DEAD_LETTER_RETENTION_MS = 14 * DAY_MS;
/**
 * P10: when a row expires, no message and no worker can come for it, and no running traversal names
 * it.
 */
export const TOMBSTONE_MS =
  QUEUE_RETENTION_MS +
  DEAD_LETTER_RETENTION_MS +
  STACK_TIMEOUT_MINS_MAX * MINUTE_MS +
  OPERATION_MS_MAX +
  DAY_MS;

/**
 * P12: the delay of a message that is sent again because the service was busy at every delivery.
 */
export const SENT_ANEW_MS = MINUTE_MS;

/** How late something must be before the sweeper sends a message for it. */
export const OVERDUE_MS_MIN = 30 * SECOND_MS;
/** The stacks that a round of the sweeper looks at side by side, and the keys in a page of them. */
export const SWEPT_STACKS_PARALLEL_MAX = 25;
export const UNSETTLED_PAGE_STACKS_MAX = 500;
/** A round ends before the next one begins. */
export const SWEEP_ROUND_MS_MAX = 50 * SECOND_MS;
/** The least remaining time of its invocation with which a round goes on to one more stack. */
export const SWEEP_REMAINING_MS_MIN = 60 * SECOND_MS;
/** How often a batch of reads is repeated for the keys that a busy service has left unread. */
export const BATCH_READ_TRIES_MAX = 5;
/**
 * More overdue visits of one stack than this may be a backlog, which no message of the sweeper
 * makes shorter. If the queue holds as many, a round sends only a part of them.
 */
export const BACKLOG_VISITS_MIN = 100;
export const BACKLOG_PARTS = 16;
/**
 * So long after its end a stack without operations settles (P16). No visit of its traversals runs
 * that long.
 */
export const SETTLE_MS_MIN = LEASE_MS + VISIT_MS_MAX + 10 * MINUTE_MS;

/**
 * P17: the most rows that are read of a chain of replacements. Those of one name that still have an
 * object are next to each other.
 */
export const CHAIN_ROWS_MAX = 32;

/**
 * The longest status reason.
 * @limit status reason of a resource or stack
 * @beyond the middle is left out
 */
export const REASON_CHARS_MAX = 8_192;
