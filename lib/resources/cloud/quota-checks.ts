import { propertyUnspecified } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import { isGiven } from "./given-values.ts";

/** A quota needs one limit beside its project. */
export const needsLimit =
  (limits: readonly string[]) =>
  (given: JsonObject): Problem =>
    limits.some((limit) => isGiven(given, limit))
      ? null
      : propertyUnspecified(...limits.toSorted());
