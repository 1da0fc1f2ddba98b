/** parameter_merge_strategies: how a value joins the value of an earlier environment file. */
import { badRequest } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { DEPTH_MAX, isDeeperThan, isJsonArray, jsonFromText, member } from "./json-shape.ts";
import type { ParameterSchema } from "./parameter-schema.ts";
import { pythonText } from "./python-text.ts";
import type { ParsedTemplate } from "./template.ts";

export type Strategy = "overwrite" | "merge" | "deep_merge";

const asStrategy = (value: Json | undefined): Strategy | null =>
  value === "overwrite" || value === "merge" || value === "deep_merge" ? value : null;

export interface Strategies {
  of(parameter: string): Strategy;
  /** Reads the next file, for the parameters that it gives. The first file with a value decides. */
  read(given: JsonObject, values: readonly JsonObject[]): void;
}

/** Only parameters of the template have a strategy. A contradiction between files is refused. */
export const chooseStrategies = (template: ParsedTemplate): Strategies => {
  const chosen = new Map<string, Strategy>();
  return {
    of: (parameter) => chosen.get(parameter) ?? "overwrite",
    read: (given, values) => {
      const fallback = asStrategy(member(given, "default")) ?? "overwrite";
      for (const parameter of values.flatMap((section) => Object.keys(section))) {
        if (!template.parameters.has(parameter)) continue;
        const strategy = asStrategy(member(given, parameter)) ?? fallback;
        const earlier = chosen.get(parameter) ?? strategy;
        if (earlier !== strategy) {
          throw badRequest(
            `Conflicting merge strategy '${strategy}' for parameter '${parameter}'.`,
          );
        }
        chosen.set(parameter, strategy);
      }
    },
  };
};

const jsonOf = (value: Json): Json => {
  const read = typeof value === "string" ? jsonFromText(value) : value;
  // Invalid or too deep JSON is refused when the parameter is read.
  return read === undefined || isDeeperThan(read, DEPTH_MAX) ? value : read;
};

/** Inside a map, deep_merge joins texts with texts, lists with lists and maps with maps. */
const deepMerge = (earlier: Json, later: Json): Json => {
  if (typeof earlier === "string" && typeof later === "string") return earlier + later;
  if (isJsonArray(earlier) && isJsonArray(later)) return [...earlier, ...later];
  if (!isJsonObject(earlier) || !isJsonObject(later)) return later;
  const merged = Object.entries(later).map(([key, value]) => {
    const before = member(earlier, key);
    return [key, before === undefined ? value : deepMerge(before, value)];
  });
  return { ...earlier, ...Object.fromEntries(merged) };
};

const mergeJson = (earlier: Json, later: Json, deep: boolean): Json => {
  if (deep) return deepMerge(earlier, later);
  return isJsonObject(earlier) && isJsonObject(later) ? { ...earlier, ...later } : later;
};

const itemsOf = (value: Json): readonly string[] =>
  isJsonArray(value) ? value.map(pythonText) : [pythonText(value)].filter((text) => text !== "");

/** The value after this file. Throws Heat's text for a type that cannot be merged. */
export const mergeValue = (
  schema: ParameterSchema,
  strategy: Strategy,
  earlier: Json | undefined,
  later: Json,
): Json => {
  if (strategy === "overwrite") return later;
  switch (schema.type) {
    case "string":
      return pythonText(earlier ?? "") + pythonText(later);
    case "comma_delimited_list":
      return [...itemsOf(earlier ?? ""), ...itemsOf(later)].join(",");
    case "json":
      return mergeJson(jsonOf(earlier ?? {}), jsonOf(later), strategy === "deep_merge");
    case "number":
    case "boolean":
      throw badRequest("Invalid parameter in environment .");
  }
};
