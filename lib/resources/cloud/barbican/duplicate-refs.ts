/** A Barbican container holds each secret once. */
import type { Json, JsonObject } from "#lib/json.ts";

export const refuseDuplicateRefs = (refs: readonly Json[]): string | null =>
  new Set(refs).size === refs.length ? null : "Duplicate refs are not allowed.";

/** For the containers whose properties, except the name, are all refs. */
export const refuseDuplicateValues = (given: JsonObject): string | null =>
  refuseDuplicateRefs(Object.entries(given).flatMap(([key, ref]) => (key === "name" ? [] : [ref])));
