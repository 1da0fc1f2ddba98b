/** parameter_merge_strategies: how the values of a file join those of earlier environment files. */
import { RequestError } from "#lib/errors.ts";
import { type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { isEmpty, isJsonArray, member } from "./json-shape.ts";
import type { MergeBudget } from "./merge-budget.ts";
import { mergeValue } from "./merge-value.ts";
import type { ParameterSchema } from "./parameter-schema.ts";
import { pythonText } from "./python-text.ts";

const STRATEGIES = ["overwrite", "merge", "deep_merge"];

export type Schemata = ReadonlyMap<string, ParameterSchema>;

export interface Joining {
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
    throw new RequestError(
      "InvalidMergeStrategyForParam",
      400,
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
      throw new RequestError(
        "ConflictingMergeStrategyForParam",
        400,
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
