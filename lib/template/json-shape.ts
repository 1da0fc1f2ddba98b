/** Reads JSON that has a user's keys. Only own members count, since a key may be "constructor". */
import {
  ExactNumber,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
  type MapOf,
  magnitudeOf,
  parseJson,
} from "#lib/json.ts";

export const isJsonArray = (value: Json): value is readonly Json[] => Array.isArray(value);

export const isCollection = (value: Json): value is readonly Json[] | JsonObject =>
  isJsonArray(value) || isJsonObject(value);

export const member = <T>(object: MapOf<T>, key: string): T | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** The map at the end of the path. If there is none, it is empty. */
export const sectionOf = (from: JsonObject, ...path: readonly string[]): JsonObject =>
  path.reduce<JsonObject>((section, key) => {
    const value = member(section, key);
    return isJsonObject(value) ? value : {};
  }, from);

export const characterAt = (text: string, at: number): string | undefined => {
  const part = at < 0 ? text.slice(2 * at) : text.slice(0, 2 * (at + 1));
  return Array.from(part).at(at);
};

export const singleMember = (object: JsonObject): readonly [string, Json] | null => {
  const [key, second] = Object.keys(object);
  return key === undefined || second !== undefined ? null : [key, object[key] ?? null];
};

export const jsonFromText = (text: string): Json | undefined => {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};

/** What is false in Python. Heat reads an empty section like a missing one. */
export const isEmpty = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  (isJsonNumber(value) && magnitudeOf(value) === 0) ||
  value === "" ||
  (isJsonArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0);

/**
 * Deeper documents are refused, because the code walks them by recursion.
 * @limit levels of a document, of a JSON parameter, and of a signal
 * @beyond 400
 */
export const DEPTH_MAX = 200;
export const TOO_DEEP = `nested more than ${DEPTH_MAX} levels deep`;
export const isDeeperThan = (value: Json, levels: number): boolean => {
  if (!isCollection(value)) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
};

/**
 * A short text with aliases can expand to a huge document.
 * @limit values of a document, aliases expanded. It may have as many as its text has characters
 * @beyond 400
 */
export const NODES_MAX = 1_000_000;
/**
 * @limit characters of a document, aliases expanded
 * @beyond 400
 */
export const EXPANDED_CHARACTERS_MAX = 16_777_216;

/**
 * @limit values, aliases expanded, that a document of fewer characters may have
 * @beyond 400
 */
const EXPANDED_NODES_MIN = 131_072;

/** A text without aliases has fewer values than characters. */
export const nodesMaxOf = (text: string): number =>
  Math.min(Math.max(text.length, EXPANDED_NODES_MIN), NODES_MAX);

export const oversize = (document: Json, nodesMax = NODES_MAX): string | null => {
  let nodes = 0;
  let characters = 0;
  const problemIn = (value: Json, depth: number): string | null => {
    nodes += 1;
    if (nodes > nodesMax) return `more than ${nodesMax} values`;
    if (depth > DEPTH_MAX) return TOO_DEEP;
    if (typeof value === "string") characters += value.length;
    else if (value instanceof ExactNumber) characters += value.toString().length;
    else if (isJsonArray(value)) {
      for (const item of value) {
        const problem = problemIn(item, depth + 1);
        if (problem !== null) return problem;
      }
    } else if (isJsonObject(value)) {
      for (const key of Object.keys(value)) {
        characters += key.length;
        const problem = problemIn(value[key] ?? null, depth + 1);
        if (problem !== null) return problem;
      }
    }
    return characters > EXPANDED_CHARACTERS_MAX
      ? `more than ${EXPANDED_CHARACTERS_MAX} characters`
      : null;
  };
  return problemIn(document, 1);
};
