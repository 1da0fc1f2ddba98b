/** The limits of what the functions of a template may produce, in bytes of JSON text. ADR 29. */

const KIB = 1_024;
const MIB = 1_024 * KIB;

/**
 * What one call gives, inner calls and the attributes of other resources included.
 * @limit result of one function as JSON, and so a parameter, file or attribute that it gives. What
 * `repeat`, `str_split`, `list_concat` and `make_url` would make counts before it is made
 * @beyond 400, or the resource fails ([decision](docs/adr/0029-limits-on-evaluated-values.md))
 */
export const VALUE_BYTES_MAX = 1 * MIB;
/**
 * What all calls give in one evaluation, inner calls included. One evaluation is of the properties
 * of a resource or of the outputs of a stack.
 * @limit results of all functions in the properties of a resource, or in the outputs of a stack
 * @beyond the same
 */
export const EVALUATION_BYTES_MAX = 4 * MIB;
/**
 * What the resources of one stack may store together. Each may store an equal share.
 * @limit results that the resources of a stack keep, in equal shares
 * @beyond the resource fails
 */
export const STACK_VALUES_BYTES_MAX = 64 * MIB;
/**
 * The least share of a resource, however many there are.
 * @limit the least share of a resource in these results
 * @beyond the resource fails
 */
export const RESOURCE_VALUES_BYTES_MIN = 64 * KIB;
/**
 * How much text the functions may search in one evaluation: at most about 0.1 s.
 * @limit text that the functions of one evaluation search. What is found counts 16 times, JSON
 * that a function makes 32 times, and a text for `digest` 128 times
 * @beyond 400, or the resource fails
 */
export const SEARCHED_CHARACTERS_MAX = 64 * MIB;
/**
 * The same for a request, which evaluates the resources of a stack and of those nested in it.
 * @limit the same of one request
 * @beyond 400
 */
export const REQUEST_SEARCHED_CHARACTERS_MAX = 2 * SEARCHED_CHARACTERS_MAX;
/**
 * What all calls of such a request give, inner calls included.
 * @limit results of all functions in one request
 * @beyond 400
 */
export const REQUEST_PRODUCED_BYTES_MAX = 2 * STACK_VALUES_BYTES_MAX;
/**
 * What a preview of a stack may show.
 * @limit results that a preview shows
 * @beyond 400
 */
export const REQUEST_VALUES_BYTES_MAX = 16 * MIB;
/** Of the errors of one evaluation. Each is searched for hidden values: together at most 0.1 s. */
export const ERROR_CHARACTERS_MAX = 1 * MIB;
/** The same for a request. */
export const REQUEST_ERROR_CHARACTERS_MAX = 4 * ERROR_CHARACTERS_MAX;
/** What a found part takes, in characters that are searched: it is cut out or replaced. */
export const FOUND_CHARACTERS = 16;
/** What a character of JSON takes where a list or a map becomes text. */
export const JSON_CHARACTERS = 32;
/** What comparing an item of a list with others takes. */
export const COMPARED_ITEM_CHARACTERS = 64;
