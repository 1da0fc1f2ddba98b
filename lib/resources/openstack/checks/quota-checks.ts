import { propertyUnspecified } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import { isGiven, reads } from "../../given-values.ts";

export const needsLimit =
  (limits: readonly string[]) =>
  (given: JsonObject): Problem => {
    reads(given, "project", ...limits);
    return limits.some((limit) => isGiven(given, limit))
      ? null
      : propertyUnspecified(...limits.toSorted());
  };
