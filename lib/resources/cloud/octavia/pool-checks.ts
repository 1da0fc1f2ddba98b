import { propertyUnspecified } from "#lib/errors.ts";
import { isJsonObject, type JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import { isGiven, isTrue } from "#lib/resources/cloud/given-values.ts";
import { member } from "#lib/template/json-shape.ts";

const persistenceProblem = (given: JsonObject): string | null => {
  const persistence = member(given, "session_persistence") ?? null;
  if (!isJsonObject(persistence)) return null;
  const type = member(persistence, "type");
  const hasCookie = isTrue(persistence, "cookie_name");
  if (type === "APP_COOKIE" && !hasCookie) {
    return "Property cookie_name is required when session_persistence type is set to APP_COOKIE.";
  }
  return type === "SOURCE_IP" && hasCookie
    ? "Property cookie_name must NOT be specified when session_persistence type is set to SOURCE_IP."
    : null;
};

export const poolProblem = (given: JsonObject): Problem =>
  isGiven(given, "listener") || isGiven(given, "loadbalancer")
    ? persistenceProblem(given)
    : propertyUnspecified("listener", "loadbalancer");
