/** The limits of what the functions of a template may produce, in bytes of JSON text. ADR 29. */

const KIB = 1_024;
const MIB = 1_024 * KIB;

/** What one call gives, inner calls and the attributes of other resources included. */
export const VALUE_BYTES_MAX = 1 * MIB;
/**
 * What all calls give in one evaluation, inner calls included. One evaluation is of the properties
 * of a resource or of the outputs of a stack.
 */
export const EVALUATION_BYTES_MAX = 4 * MIB;
/** What the resources of one stack may store together. Each may store an equal share. */
export const STACK_VALUES_BYTES_MAX = 64 * MIB;
/** The least share of a resource, however many there are. */
export const RESOURCE_VALUES_BYTES_MIN = 64 * KIB;
/** How much text the functions may search in one evaluation: at most about 0.1 s. */
export const SEARCHED_CHARACTERS_MAX = 64 * MIB;
/** The same for a request, which evaluates the resources of a stack and of those nested in it. */
export const REQUEST_SEARCHED_CHARACTERS_MAX = 2 * SEARCHED_CHARACTERS_MAX;
/** What all calls of such a request give, inner calls included. */
export const REQUEST_PRODUCED_BYTES_MAX = 2 * STACK_VALUES_BYTES_MAX;
/** What a preview of a stack may show. */
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
