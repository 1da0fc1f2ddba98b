import type { JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import { isGiven, numberOf } from "#lib/resources/cloud/given-values.ts";
import { member } from "#lib/template/json-shape.ts";

const VLAN_ID_MAX = 4094;

const isOneOf = (type: unknown, types: readonly unknown[]): boolean => types.includes(type);

export const segmentProblem = (given: JsonObject): Problem => {
  const type = member(given, "network_type");
  const network = String(type);
  const hasPhysical = isGiven(given, "physical_network");
  const hasId = isGiven(given, "segmentation_id");
  if (isOneOf(type, ["flat", "vlan"]) && !hasPhysical) {
    return `physical_network is required for ${network} provider network.`;
  }
  if (type === "vlan" && !hasId) {
    return `segmentation_id is required for ${network} provider network.`;
  }
  if (isOneOf(type, ["local", "flat"]) && hasId) {
    return `segmentation_id is prohibited for ${network} provider network.`;
  }
  if (isOneOf(type, ["vxlan", "gre", "geneve"]) && hasPhysical) {
    return `physical_network is prohibited for ${network} provider network.`;
  }
  return type === "vlan" && (numberOf(given, "segmentation_id") ?? 0) > VLAN_ID_MAX
    ? `Up to ${VLAN_ID_MAX} VLAN network segments can exist on each physical_network.`
    : null;
};
