/**
 * The limits of a stack. docs/convergence-reference.md says how they depend on each other.
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
 * A row that an update leaves out keeps the template record that it names. With so many of them an
 * update visits all rows but those of one record. Then the others can go (P16, P24).
 */
export const TEMPLATE_RECORDS_NAMED_MAX = 32;

/** Together, as characters of JSON. Half of what a worker keeps of them at a time. */
export const TEMPLATE_RECORDS_CHARS_MAX = 16 * 1_024 * 1_024;

/** What a member of a group counts: its record names it in few characters, but it is loaded too. */
export const GROUP_MEMBER_CHARS = 150;

/**
 * Of so many rows that an update visits, one that it leaves out may have to let go (P24). A write
 * for each of more costs more than a visit does, and each is of the whole row.
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
