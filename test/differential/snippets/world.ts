import type { Json, JsonObject } from "#lib/json.ts";
import type { Random } from "#lib/ports/ports.ts";

export type Kind = "text" | "number" | "flag" | "list" | "texts" | "map" | "any";

export const PARAMETERS = {
  s: { type: "string", kind: "text" },
  u: { type: "string", kind: "text" },
  n: { type: "number", kind: "number" },
  b: { type: "boolean", kind: "flag" },
  l: { type: "comma_delimited_list", kind: "texts" },
  j: { type: "json", kind: "map" },
} as const;

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
  readonly conditions: readonly string[];
}

export interface World {
  readonly random: Random;
  readonly given: Given;
  readonly isOutermost: boolean;
  value(kind: Kind): Json;
  condition(): Json;
  errs(): boolean;
}

export interface Caller {
  readonly name: string;
  readonly gives: Kind | null;
  readonly args: (world: World, wanted: Kind) => Json;
}
