/** Limits of what the functions of a template may produce, in bytes of JSON text (ADR 29). */

const KIB = 1_024;
const MIB = 1_024 * KIB;

/**
 * Includes inner calls and the attributes of other resources.
 * @limit result of one function as JSON, and so a parameter, file or attribute that it gives. What
 * `repeat`, `str_split`, `list_concat` and `make_url` would make counts before it is made
 * @beyond 400, or the resource fails ([decision](docs/adr/0029-limits-on-evaluated-values.md))
 */
export const VALUE_BYTES_MAX = 1 * MIB;
/**
 * Includes inner calls.
 * @limit results of all functions in the properties of a resource, or in the outputs of a stack
 * @beyond the same
 */
export const EVALUATION_BYTES_MAX = 4 * MIB;
/**
 * @limit results that the resources of a stack keep, in equal shares
 * @beyond the resource fails
 */
export const STACK_VALUES_BYTES_MAX = 64 * MIB;
/**
 * @limit the least share of a resource in these results
 * @beyond the resource fails
 */
export const RESOURCE_VALUES_BYTES_MIN = 64 * KIB;
/**
 * Searching this much takes about 0.1 s at most.
 * @limit text that the functions of one evaluation search. What is found counts 16 times, JSON that
 * a function makes 32 times, and a text for `digest` 128 times
 * @beyond 400, or the resource fails
 */
export const SEARCHED_CHARACTERS_MAX = 64 * MIB;
/**
 * A request evaluates the resources of a stack and of its nested stacks.
 * @limit the same of one request
 * @beyond 400
 */
export const REQUEST_SEARCHED_CHARACTERS_MAX = 2 * SEARCHED_CHARACTERS_MAX;
/**
 * @limit results of all functions in one request
 * @beyond 400
 */
export const REQUEST_PRODUCED_BYTES_MAX = 2 * STACK_VALUES_BYTES_MAX;
/**
 * @limit results that a preview shows
 * @beyond 400
 */
export const REQUEST_VALUES_BYTES_MAX = 16 * MIB;
/** For the errors of one evaluation, which take 0.1 s at most to search for hidden values. */
export const ERROR_CHARACTERS_MAX = 1 * MIB;
export const REQUEST_ERROR_CHARACTERS_MAX = 4 * ERROR_CHARACTERS_MAX;
/** The cost of cutting out or replacing a found part, in searched characters. */
export const FOUND_CHARACTERS = 16;
export const JSON_CHARACTERS = 32;
export const COMPARED_ITEM_CHARACTERS = 64;
