import { RequestError } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import { isCollection, isJsonArray } from "../json-shape.ts";

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
const REQUEST_PRODUCED_BYTES_MAX = 2 * STACK_VALUES_BYTES_MAX;
/**
 * @limit results that a preview shows
 * @beyond 400
 */
const REQUEST_VALUES_BYTES_MAX = 16 * MIB;
/** For the errors of one evaluation, which take 0.1 s at most to search for hidden values. */
export const ERROR_CHARACTERS_MAX = 1 * MIB;
const REQUEST_ERROR_CHARACTERS_MAX = 4 * ERROR_CHARACTERS_MAX;
/** The cost of cutting out or replacing a found part, in searched characters. */
export const FOUND_CHARACTERS = 16;
/** Limits of what the functions of a template may produce, in bytes of JSON text (ADR 29). */
export const JSON_CHARACTERS = 32;
export const COMPARED_ITEM_CHARACTERS = 64;

export interface ValueBudget {
  mayBuild(functionName: string, characters: number): void;
  search(functionName: string, characters: number): void;
  tell(functionName: string, characters: number): void;
  /** `isKept`: the result stays, and is not the argument of another call. */
  take(functionName: string, result: Json, isKept: boolean): void;
}

/**
 * What the functions of a template may still produce in one evaluation. A template of some
 * kilobytes can ask for gigabytes, so a function asks before it builds a text.
 */
export const VALUE_TOO_LARGE = "ValueTooLarge";

const refusal = (message: string): RequestError => new RequestError(VALUE_TOO_LARGE, 400, message);

const tooLarge = (functionName: string, reason: string): RequestError =>
  refusal(`The result of "${functionName}" is too large: ${reason}.`);

interface Limits {
  readonly keptBytesMax: number;
  readonly producedBytesMax: number;
  readonly searchedCharactersMax: number;
  readonly errorCharactersMax: number;
}

export interface SharedBudget extends Pick<ValueBudget, "search" | "tell"> {
  produce(functionName: string, bytes: number): void;
}

const ONE_EVALUATION: Limits = {
  keptBytesMax: EVALUATION_BYTES_MAX,
  producedBytesMax: EVALUATION_BYTES_MAX,
  searchedCharactersMax: SEARCHED_CHARACTERS_MAX,
  errorCharactersMax: ERROR_CHARACTERS_MAX,
};

const budgetOf = (
  { keptBytesMax, producedBytesMax, searchedCharactersMax, errorCharactersMax }: Limits,
  shared?: SharedBudget,
): ValueBudget & SharedBudget => {
  let producedBytes = 0;
  let keptBytes = 0;
  let searchedCharacters = 0;
  let errorCharacters = 0;
  const refuseValue = (functionName: string): never => {
    throw tooLarge(functionName, `a value may have ${VALUE_BYTES_MAX} bytes`);
  };
  const refuseAll = (functionName: string): never => {
    const reason = `all functions together may give ${producedBytesMax} bytes here`;
    throw tooLarge(functionName, reason);
  };
  const produce = (functionName: string, bytes: number): void => {
    producedBytes += bytes;
    shared?.produce(functionName, bytes);
    if (producedBytes > producedBytesMax) refuseAll(functionName);
  };
  return {
    produce,
    mayBuild: (functionName, characters) => {
      if (characters > VALUE_BYTES_MAX) refuseValue(functionName);
    },
    search: (functionName, characters) => {
      shared?.search(functionName, characters);
      searchedCharacters += characters;
      if (searchedCharacters <= searchedCharactersMax) return;
      throw refusal(
        `"${functionName}" searches too much text: all functions together may search ${searchedCharactersMax} characters here.`,
      );
    },
    tell: (functionName, characters) => {
      shared?.tell(functionName, characters);
      errorCharacters += characters;
      if (errorCharacters <= errorCharactersMax) return;
      throw refusal(
        `"${functionName}" fails with too much text: all errors together may have ${errorCharactersMax} characters here.`,
      );
    },
    take: (functionName, result, isKept) => {
      // Measuring each of many more results would take the time that the budget limits.
      if (producedBytes > producedBytesMax) refuseAll(functionName);
      const bytes = jsonBytes(result, VALUE_BYTES_MAX);
      // A refused result counts too, since measuring it took time.
      if (bytes > VALUE_BYTES_MAX) {
        producedBytes += VALUE_BYTES_MAX;
        refuseValue(functionName);
      }
      produce(functionName, bytes);
      if (!isKept) return;
      keptBytes += bytes;
      if (keptBytes <= keptBytesMax) return;
      const reason = `all values together may have ${keptBytesMax} bytes here`;
      throw tooLarge(functionName, reason);
    },
  };
};

export const valueBudget = (shared?: SharedBudget): ValueBudget => budgetOf(ONE_EVALUATION, shared);

export const requestBudget = (): SharedBudget =>
  budgetOf({
    keptBytesMax: REQUEST_PRODUCED_BYTES_MAX,
    producedBytesMax: REQUEST_PRODUCED_BYTES_MAX,
    searchedCharactersMax: REQUEST_SEARCHED_CHARACTERS_MAX,
    errorCharactersMax: REQUEST_ERROR_CHARACTERS_MAX,
  });

/** For an answer that shows all resources of a stack. */
export const stackBudget = (): ValueBudget & SharedBudget =>
  budgetOf({
    keptBytesMax: REQUEST_VALUES_BYTES_MAX,
    producedBytesMax: REQUEST_VALUES_BYTES_MAX,
    searchedCharactersMax: REQUEST_SEARCHED_CHARACTERS_MAX,
    errorCharactersMax: REQUEST_ERROR_CHARACTERS_MAX,
  });

/** A resource's share of what its stack may store. It depends only on the template. */
export const resourceBudget = (resources: number, shared?: SharedBudget): ValueBudget => {
  const share = Math.floor(STACK_VALUES_BYTES_MAX / Math.max(resources, 1));
  const atLeast = Math.max(share, RESOURCE_VALUES_BYTES_MIN);
  const keptBytesMax = Math.min(atLeast, EVALUATION_BYTES_MAX);
  return budgetOf({ ...ONE_EVALUATION, keptBytesMax }, shared);
};

/** The bytes of the value's JSON text in UTF-8. Stops counting beyond `most`. */
export const jsonBytes = (value: Json, most: number): number => {
  if (typeof value === "string") return textBytes(value, most);
  if (!isCollection(value)) return JSON.stringify(value).length;
  let bytes = 2;
  if (isJsonArray(value)) {
    for (const item of value) {
      bytes += jsonBytes(item, most - bytes) + 1;
      if (bytes > most) return bytes;
    }
    return bytes;
  }
  for (const [key, item] of Object.entries(value)) {
    bytes += textBytes(key, most - bytes) + jsonBytes(item, most - bytes) + 2;
    if (bytes > most) return bytes;
  }
  return bytes;
};

/** JSON writes these as two characters, and other control characters as six. */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x22, 0x5c]);

/** Includes the quotes. Half of a surrogate pair counts three bytes, and a pair six. */
const textBytes = (text: string, most: number): number => {
  if (text.length > most) return text.length;
  let bytes = 2;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) bytes += code >= 0x20 && code !== 0x22 && code !== 0x5c ? 1 : escaped(code);
    else bytes += code < 0x8_00 ? 2 : 3;
  }
  return bytes;
};

const escaped = (code: number): number => (SHORT_ESCAPES.has(code) ? 2 : 6);
