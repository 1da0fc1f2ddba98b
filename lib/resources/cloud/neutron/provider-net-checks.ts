import type { JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import { isTrue } from "#lib/resources/cloud/given-values.ts";
import { member } from "#lib/template/json-shape.ts";

const WITHOUT_SEGMENTATION: readonly unknown[] = ["local", "flat"];
const WITHOUT_PHYSICAL: readonly unknown[] = ["vxlan", "gre", "geneve", "local"];

export const providerNetProblem = (given: JsonObject): Problem => {
  const isOneOf = (types: readonly unknown[]): boolean =>
    types.includes(member(given, "network_type"));
  if (isTrue(given, "segmentation_id") && isOneOf(WITHOUT_SEGMENTATION)) {
    return "segmentation_id not allowed for network types: local, flat";
  }
  return isTrue(given, "physical_network") && isOneOf(WITHOUT_PHYSICAL)
    ? // Heat's text names flat, which may have one.
      "physical_network not allowed for network types: vxlan, gre, geneve, flat"
    : null;
};
