/**
 * The limits of a stack. docs/rules/limits.md says how they depend on each other.
 * @limit time of a stack operation, unless the request gives one
 * @beyond the operation fails, or rolls back if that was asked for
 */
export const STACK_TIMEOUT_MINS_DEFAULT = 60;

/**
 * @limit the longest time that a request may give
 * @beyond 400
 */
export const STACK_TIMEOUT_MINS_MAX = 7 * 24 * 60;

/**
 * Heat's max_nested_stack_depth.
 * @limit levels of nested stacks
 * @beyond 400 `RequestLimitExceeded`
 */
export const NESTED_DEPTH_MAX = 5;

/**
 * Heat's max_resources_per_stack: of a root and all stacks below it. Heat's default is 1,000.
 * @limit resources of a stack, with all members of groups below it. Heat has 1,000
 * @beyond 400 `RequestLimitExceeded`
 */
export const RESOURCES_PER_ROOT_MAX = 100_000;

/**
 * A row that a partial update leaves out keeps its template record. Beyond this number an update
 * also visits all rows but those of one record, so that the other records can be deleted (P16,
 * P24).
 */
export const TEMPLATE_RECORDS_NAMED_MAX = 32;

/** For all records together, as characters of JSON. It is half of what a worker caches. */
export const TEMPLATE_RECORDS_CHARS_MAX = 16 * 1_024 * 1_024;

/** A member has few characters in its record, but takes memory when it is loaded. */
export const GROUP_MEMBER_CHARS = 150;

/**
 * A row may let go of this many visited rows (P24). Beyond it a visit is cheaper, because each
 * letting go writes the whole row.
 */
export const LET_GO_MAX = 16;

/**
 * Of the stacks below a root, and of their resources. A request of few kilobytes can ask for all of
 * them, and checking so many takes at most about a second.
 * @limit stacks below a root that a request names
 * @beyond 400 `RequestLimitExceeded`
 */
export const NESTED_STACKS_PER_ROOT_MAX = 1_000;
/**
 * @limit resources of the stacks below a root that a request names
 * @beyond 400 `RequestLimitExceeded`
 */
export const NESTED_RESOURCES_PER_ROOT_MAX = 10_000;
