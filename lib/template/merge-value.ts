/** Merges two values of a parameter as Heat's code does in Python, with Python's errors. */
import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { describeJsonError } from "./json-error.ts";
import {
  DEPTH_MAX,
  isDeeperThan,
  isEmpty,
  isJsonArray,
  jsonFromText,
  member,
  TOO_DEEP,
} from "./json-shape.ts";
import type { ParameterType } from "./parameter-schema.ts";
import { pythonType } from "./python-text.ts";
import { pythonError } from "./schema-shape.ts";

const invalidParameter = (reason: string) =>
  pythonError("ValueError", `Invalid parameter in environment ${reason}.`);

const noAttribute = (value: Json, attribute: string) =>
  pythonError("AttributeError", `'${pythonType(value)}' object has no attribute '${attribute}'`);

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
  throw noAttribute(earlier, "extend");
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
  if (!isJsonObject(later)) throw noAttribute(later, "items");
  const given = Object.entries(later).filter(([, value]) => value !== null);
  const [first] = given;
  if (first === undefined) return earlier;
  if (!isJsonObject(earlier)) {
    const [, value] = first;
    const isAsked =
      deep && (typeof value === "string" || isJsonObject(value) || isJsonArray(value));
    throw isAsked ? noAttribute(earlier, "get") : notAssignable(earlier);
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
export const mergeValue = (
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
