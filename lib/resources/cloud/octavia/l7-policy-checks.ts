import { propertyValueDependency } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import { isGiven } from "#lib/resources/cloud/given-values.ts";
import { member } from "#lib/template/json-shape.ts";

interface Redirect {
  readonly action: string;
  readonly property: string;
}

const TO_POOL: Redirect = { action: "REDIRECT_TO_POOL", property: "redirect_pool" };
const TO_URL: Redirect = { action: "REDIRECT_TO_URL", property: "redirect_url" };

const redirectProblem = (given: JsonObject, asked: Redirect, other: Redirect): Problem => {
  if (member(given, "action") !== asked.action) return null;
  if (isGiven(given, other.property)) {
    return propertyValueDependency(other.property, "action", other.action);
  }
  return isGiven(given, asked.property)
    ? null
    : `Property ${asked.property} is required when action type is set to ${asked.action}.`;
};

export const l7PolicyProblem = (given: JsonObject): Problem => {
  const hasTarget = isGiven(given, TO_POOL.property) || isGiven(given, TO_URL.property);
  if (member(given, "action") === "REJECT" && hasTarget) {
    return "Properties redirect_pool and redirect_url are not required when action type is set to REJECT.";
  }
  return redirectProblem(given, TO_POOL, TO_URL) ?? redirectProblem(given, TO_URL, TO_POOL);
};
