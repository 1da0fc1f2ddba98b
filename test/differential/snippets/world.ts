/** What a generated snippet can refer to, and the kinds of values that it is made of. */
import type { Json, JsonObject } from "#lib/json.ts";
import type { Random } from "#lib/ports/random.ts";

export type Kind = "text" | "number" | "flag" | "list" | "texts" | "map" | "any";

/** The parameters of every question, by the kind of their values. */
export const PARAMETERS = {
  s: { type: "string", kind: "text" },
  u: { type: "string", kind: "text" },
  n: { type: "number", kind: "number" },
  b: { type: "boolean", kind: "flag" },
  l: { type: "comma_delimited_list", kind: "texts" },
  j: { type: "json", kind: "map" },
} as const;

/** The attributes of the type `Hearth::Given`, which heat_functions.py registers. */
export const ATTRIBUTES = {
  flag: "flag",
  list: "list",
  map: "map",
  nothing: "any",
  number: "number",
  text: "text",
} as const;

export interface ResourceState extends JsonObject {
  readonly reference: string;
  readonly attributes: JsonObject;
  readonly action: string;
  readonly status: string;
}

export interface Given {
  readonly parameters: JsonObject;
  readonly states: Readonly<Record<string, ResourceState>>;
  readonly files: Readonly<Record<string, string>>;
  readonly mappings: JsonObject;
  /** The names of the section of conditions. Empty: the version has none. */
  readonly conditions: readonly string[];
}

export interface World {
  readonly random: Random;
  readonly given: Given;
  /** The call gives the value of the output. */
  readonly isOutermost: boolean;
  /** A literal, or a call that gives such a value. A wrong world gives another value at times. */
  value(kind: Kind): Json;
  /** The name of a condition, a boolean, or a call that only conditions know. */
  condition(): Json;
  /** True at times in a wrong world, and never in a right one. */
  errs(): boolean;
}

/** How one function is called. */
export interface Caller {
  readonly name: string;
  /** Null: it depends on the arguments, which follow what is wanted. */
  readonly gives: Kind | null;
  readonly args: (world: World, wanted: Kind) => Json;
}
