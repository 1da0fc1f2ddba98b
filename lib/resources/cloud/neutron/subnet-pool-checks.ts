import type { JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import { numberOf } from "#lib/resources/cloud/given-values.ts";

/** Zero is like a missing bound. */
const boundProblem = (given: JsonObject, upper: string, lower: string, first: string): Problem => {
  const most = numberOf(given, upper);
  const least = numberOf(given, lower);
  if (!most || !least || least <= most) return null;
  const second = first === upper ? lower : upper;
  return `Illegal prefix bounds: ${first}=${numberOf(given, first)}, ${second}=${numberOf(given, second)}.`;
};

export const subnetPoolProblem = (given: JsonObject): Problem =>
  boundProblem(given, "max_prefixlen", "min_prefixlen", "max_prefixlen") ??
  boundProblem(given, "max_prefixlen", "default_prefixlen", "max_prefixlen") ??
  boundProblem(given, "default_prefixlen", "min_prefixlen", "min_prefixlen");
