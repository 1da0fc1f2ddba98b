/** What Heat checks before it calls Octavia or Designate. Neutron has a file of its own. */
import { propertyUnspecified, propertyValueDependency } from "#lib/errors.ts";
import { isJsonObject, type JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import { member } from "#lib/template/json-shape.ts";
import { isGiven, isSet } from "../../given-values.ts";
import type { TypeRules } from "../catalogue.ts";
import { needsLimit } from "./neutron.ts";

const persistenceProblem = (given: JsonObject): string | null => {
  const persistence = member(given, "session_persistence") ?? null;
  if (!isJsonObject(persistence)) return null;
  const type = member(persistence, "type");
  const hasCookie = isSet(persistence, "cookie_name");
  if (type === "APP_COOKIE" && !hasCookie) {
    return "Property cookie_name is required when session_persistence type is set to APP_COOKIE.";
  }
  return type === "SOURCE_IP" && hasCookie
    ? "Property cookie_name must NOT be specified when session_persistence type is set to SOURCE_IP."
    : null;
};

const poolProblem = (given: JsonObject): Problem =>
  isGiven(given, "listener") || isGiven(given, "loadbalancer")
    ? persistenceProblem(given)
    : propertyUnspecified("listener", "loadbalancer");

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

const l7PolicyProblem = (given: JsonObject): Problem => {
  const hasTarget = isGiven(given, TO_POOL.property) || isGiven(given, TO_URL.property);
  if (member(given, "action") === "REJECT" && hasTarget) {
    return "Properties redirect_pool and redirect_url are not required when action type is set to REJECT.";
  }
  return redirectProblem(given, TO_POOL, TO_URL) ?? redirectProblem(given, TO_URL, TO_POOL);
};

const NEEDS: readonly (readonly [string, readonly string[]])[] = [
  ["PRIMARY", ["email"]],
  ["SECONDARY", ["masters", "primaries"]],
];

const refuseZone = (given: JsonObject): string | null => {
  for (const [type, keys] of NEEDS) {
    if (member(given, "type") === type && !keys.some((key) => isSet(given, key))) {
      return `Property ${keys[0]} is required for zone type ${type}`;
    }
  }
  return null;
};

export const NETWORKING_RULES: Readonly<Record<string, TypeRules>> = {
  "OS::Octavia::L7Policy": { validate: l7PolicyProblem },
  "OS::Octavia::L7Rule": {
    validate: (given) =>
      ["HEADER", "COOKIE"].some((type) => member(given, "type") === type) && !isGiven(given, "key")
        ? "Property key is missing. This property should be specified for rules of HEADER and COOKIE types."
        : null,
  },
  "OS::Octavia::Listener": {
    validate: (given) =>
      member(given, "protocol") === "TERMINATED_HTTPS" &&
      !isGiven(given, "default_tls_container_ref")
        ? "Property default_tls_container_ref required when protocol is TERMINATED_HTTPS."
        : null,
  },
  "OS::Octavia::Pool": { validate: poolProblem },
  "OS::Octavia::Quota": {
    validate: needsLimit(["healthmonitor", "listener", "loadbalancer", "pool", "member"]),
  },
  "OS::Designate::Zone": { validate: refuseZone },
};
