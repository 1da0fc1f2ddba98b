/** A value of another type than the one asked for counts as empty. */
import type { Json, JsonObject } from "#provider/provider.ts";

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

export const listOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);

export const objectsOf = (value: Json | undefined): readonly JsonObject[] =>
  listOf(value).filter(isObject);

export const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");
