/** The environment `hearth:existing-machines`, and the one that brings an inventory. */
import type { JsonObject } from "#lib/json.ts";
import { mapOf } from "#lib/json-map.ts";

/** Before the name of a type: what stands for its objects where a cloud would make them. */
export const EXISTING_PREFIX = "Hearth::Existing::";

/**
 * The types that are mapped. All others keep their names, because some types look for others by
 * name, as a wait condition looks for its handle.
 */
const MAPPED: readonly string[] = [
  "OS::Nova::*",
  "OS::Neutron::*",
  "OS::Quantum::*",
  "OS::Cinder::*",
  "OS::Glance::*",
  "OS::Aodh::*",
  "OS::Ceilometer::*",
  "OS::Metering::*",
  "AWS::EC2::*",
  "OS::Heat::ScaledResource",
];

export const EXISTING_ENVIRONMENT: JsonObject = {
  resource_registry: mapOf(MAPPED.map((type) => [type, EXISTING_PREFIX + type])),
};

/** The inventory's name in `parameter_defaults`, which nested stacks get too. */
export const INVENTORY_PARAMETER = "hearth_inventory";

export const inventoryEnvironment = (content: JsonObject): JsonObject => ({
  parameter_defaults: { [INVENTORY_PARAMETER]: content },
});
