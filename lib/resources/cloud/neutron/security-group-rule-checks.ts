import { propertyConflict } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import { isGiven, numberOf, reads } from "#lib/resources/cloud/given-values.ts";
import { member } from "#lib/template/json-shape.ts";

/** For these the properties of ports are a type and a code, which have no order. */
const WITHOUT_PORTS: readonly unknown[] = ["icmp", "icmpv6", "ipv6-icmp"];

export const securityGroupRuleProblem = (given: JsonObject): Problem => {
  if (isGiven(given, "remote_group") && isGiven(given, "remote_ip_prefix")) {
    return propertyConflict("remote_group", "remote_ip_prefix");
  }
  reads(given, "port_range_max", "port_range_min", "protocol");
  const max = numberOf(given, "port_range_max");
  const min = numberOf(given, "port_range_min");
  const hasOrder = max !== null && min !== null;
  return hasOrder && max < min && !WITHOUT_PORTS.includes(member(given, "protocol"))
    ? "The minimum port number must be less than or equal to the maximum port number."
    : null;
};
