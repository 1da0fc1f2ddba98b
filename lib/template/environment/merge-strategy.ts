/** parameter_merge_strategies: how the values of a file join those of earlier environment files. */
import { requestLimitExceeded } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { refusal } from "../faults.ts";
import { jsonBytes } from "../functions/value-budget.ts";
import { describeJsonError } from "../json-error.ts";
import {
  DEPTH_MAX,
  isCollection,
  isDeeperThan,
  isEmpty,
  isJsonArray,
  jsonFromText,
  member,
  TOO_DEEP,
} from "../json-shape.ts";
import { pythonError } from "../parameters/parameter-constraint.ts";
import type { ParameterSchema, ParameterType } from "../parameters/parameter-schema.ts";
import { noAttribute, pythonText, pythonType } from "../python-text.ts";

const STRATEGIES = ["overwrite", "merge", "deep_merge"];

export type Schemata = ReadonlyMap<string, ParameterSchema>;

interface Joining {
  readonly fileName: string;
  readonly strategies: JsonObject;
  readonly section: JsonObject;
}

/** The file's strategy for the parameter, else an earlier file's, else the file's default. */
const strategyIn = (given: JsonObject, name: string, earlier: string | undefined): string => {
  const fallback = pythonText(member(given, "default") ?? "overwrite");
  const word = pythonText(member(given, name) ?? earlier ?? fallback);
  return STRATEGIES.includes(word) ? word : fallback;
};

const merged = (
  schema: ParameterSchema,
  strategy: string,
  earlier: Json | undefined,
  later: Json,
): Json => {
  if (strategy !== "merge" && strategy !== "deep_merge") return later;
  if (schema.type === "boolean" && (typeof later === "string" || isJsonArray(later))) {
    throw refusal(
      "InvalidMergeStrategyForParam",
      `Invalid merge strategy 'merge' for parameter '${schema.name}'.`,
    );
  }
  return mergeValue(schema.type, earlier, later, strategy === "deep_merge");
};

/** The first file with a value for a parameter sets its strategy. */
export const sectionMerger = (
  schemata: Schemata,
  budget: MergeBudget,
): ((earlier: JsonObject, joining: Joining) => JsonObject) => {
  const chosen = new Map<string, string>();
  const choose = (name: string, { fileName, strategies }: Joining): void => {
    const earlier = chosen.get(name);
    const strategy = strategyIn(strategies, name, earlier);
    if (earlier !== undefined && earlier !== strategy) {
      throw refusal(
        "ConflictingMergeStrategyForParam",
        `Conflicting merge strategy '${strategy}' for parameter '${name}' in file '${fileName}'.`,
      );
    }
    chosen.set(name, strategy);
  };
  return (earlier, joining) => {
    const entries = Object.entries(joining.section).flatMap(([name, value]) => {
      const schema = value === null ? undefined : schemata.get(name);
      return schema === undefined ? [] : [{ name, value, schema }];
    });
    for (const { name } of entries) choose(name, joining);
    // As in Heat, only the first values may name parameters that no template has.
    if (isEmpty(earlier)) return joining.section;
    budget.copy(earlier);
    const joined = entries.map(({ name, value, schema }): [string, Json] => {
      const before = member(earlier, name);
      const result = merged(schema, chosen.get(name) ?? "overwrite", before, value);
      if (result !== value) budget.spend(result);
      return [name, result];
    });
    return mapOf([...Object.entries(earlier), ...joined]);
  };
};

/** Merges two values of a parameter as Heat's code does in Python, with Python's errors. */
const invalidParameter = (reason: string) =>
  pythonError("ValueError", `Invalid parameter in environment ${reason}.`);

const lacks = (value: Json, attribute: string) =>
  pythonError("AttributeError", noAttribute(value, attribute));

const joined = (separator: string, items: readonly Json[]): string => {
  const texts = items.map((item, at) => {
    if (typeof item === "string") return item;
    const found = `expected str instance, ${pythonType(item)} found`;
    throw pythonError("TypeError", `sequence item ${at}: ${found}`);
  });
  return texts.join(separator);
};

const joinLists = (earlier: Json, later: Json): Json => {
  if (isEmpty(earlier)) return later;
  if (!isJsonArray(later)) return joined(",", [earlier, later]);
  if (isJsonArray(earlier)) return [...earlier, ...later];
  throw lacks(earlier, "extend");
};

const notAssignable = (earlier: Json) =>
  isJsonArray(earlier)
    ? pythonError("TypeError", "list indices must be integers or slices, not str")
    : pythonError("TypeError", `'${pythonType(earlier)}' object does not support item assignment`);

const joinMembers = (before: Json | undefined, value: Json): Json => {
  if (typeof value === "string") return joined("", [before === undefined ? "" : before, value]);
  if (before === undefined || isEmpty(before)) return value;
  if (isJsonObject(value)) return joinMaps(before, value, true);
  return isJsonArray(value) ? joinLists(before, value) : value;
};

/** A null in the later map keeps the earlier value. A deep merge also joins texts and lists. */
const joinMaps = (earlier: Json, later: Json, deep: boolean): Json => {
  if (isEmpty(earlier)) return later;
  if (!isJsonObject(later)) throw lacks(later, "items");
  const given = Object.entries(later).filter(([, value]) => value !== null);
  const [first] = given;
  if (first === undefined) return earlier;
  if (!isJsonObject(earlier)) {
    const [, value] = first;
    const isAsked =
      deep && (typeof value === "string" || isJsonObject(value) || isJsonArray(value));
    throw isAsked ? lacks(earlier, "get") : notAssignable(earlier);
  }
  const members = given.map(([key, value]): [string, Json] => [
    key,
    deep ? joinMembers(member(earlier, key), value) : value,
  ]);
  return mapOf([...Object.entries(earlier), ...members]);
};

const jsonOf = (value: Json): Json => {
  if (value === "") return value;
  const read = typeof value === "string" ? jsonFromText(value) : value;
  if (read === undefined) throw invalidParameter(describeJsonError(String(value)));
  if (isDeeperThan(read, DEPTH_MAX)) throw invalidParameter(TOO_DEEP);
  return read;
};

/** Python's `+` on texts or lists. Heat applies it to values of a number parameter too. */
const sum = (earlier: Json, later: string | readonly Json[]): Json => {
  const [left, right] = [pythonType(earlier), pythonType(later)];
  if (typeof earlier === "string" && typeof later === "string") return earlier + later;
  if (isJsonArray(earlier) && typeof later !== "string") return [...earlier, ...later];
  const isSequence = left === "str" || left === "list";
  const reason = isSequence
    ? `can only concatenate ${left} (not "${right}") to ${left}`
    : `unsupported operand type(s) for +: '${left}' and '${right}'`;
  throw pythonError("TypeError", reason);
};

/** As in Heat, values that are numbers or booleans cannot be merged. */
const mergeValue = (
  type: ParameterType,
  earlier: Json | undefined,
  later: Json,
  deep: boolean,
): Json => {
  const none: JsonObject = {};
  if (type === "json") return joinMaps(earlier ?? none, jsonOf(later), deep);
  if (typeof later !== "string" && !isJsonArray(later)) throw invalidParameter("");
  if (type === "comma_delimited_list") return joinLists(earlier ?? null, later);
  if (type === "number") return sum(earlier === undefined ? 0 : earlier, later);
  return joined("", [earlier === undefined ? "" : earlier, later]);
};

/**
 * @limit values of environment files in one request, counted with each file that they are merged
 * with
 * @beyond 400 `RequestLimitExceeded`
 */
const MERGED_BYTES_MAX = 16_777_216;
const MEMBER_BYTES = 32;

/**
 * Limits what one request may merge. A request may name the same file many times, and each merge
 * copies the values and makes them larger.
 */
export class MergeBudget {
  #bytes = 0;

  spend(value: Json): void {
    this.#add(jsonBytes(value, MERGED_BYTES_MAX));
  }

  copy(section: Json): void {
    if (isCollection(section)) this.#add(Object.keys(section).length * MEMBER_BYTES);
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= MERGED_BYTES_MAX) return;
    throw requestLimitExceeded(
      `The values of the environment files have more than ${MERGED_BYTES_MAX} bytes when they are merged.`,
    );
  }
}
