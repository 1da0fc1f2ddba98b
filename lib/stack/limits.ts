/** The limits of a stack. docs/convergence-reference.md says how they depend on each other. */

export const STACK_TIMEOUT_MINS_DEFAULT = 60;

export const STACK_TIMEOUT_MINS_MAX = 7 * 24 * 60;

/** Heat's max_nested_stack_depth. */
export const NESTED_DEPTH_MAX = 5;

/** Heat's max_resources_per_stack: of a root and all stacks below it. Heat's default is 1,000. */
export const RESOURCES_PER_ROOT_MAX = 100_000;

/**
 * A row that an update leaves out keeps the template record that it names. With so many of them an
 * update visits every row, and then all but the new one can go (P16, P24).
 */
export const TEMPLATE_RECORDS_NAMED_MAX = 32;

/** Together, as characters of JSON. Half of what a worker keeps of them at a time. */
export const TEMPLATE_RECORDS_CHARS_MAX = 16 * 1_024 * 1_024;

/**
 * Records may be longer together if all but so many rows keep the same one. Each of the others then
 * costs whoever reads it the loading of a record, about a sixtieth of an update that visits all.
 */
export const STRAY_ROWS_MAX = 32;

/**
 * Of the stacks below a root, and of their resources. A request of few kilobytes can ask for all of
 * them, and checking so many takes at most about a second.
 */
export const NESTED_STACKS_PER_ROOT_MAX = 1_000;
export const NESTED_RESOURCES_PER_ROOT_MAX = 10_000;
