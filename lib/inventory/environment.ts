import type { JsonObject } from "#lib/json.ts";
import { mapOf } from "#lib/json-map.ts";

export const EXISTING_PREFIX = "Hearth::Existing::";

/**
 * Only these types are mapped. All others keep their names, because some types find others by name:
 * a wait condition looks for its handle.
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

export const INVENTORY_PARAMETER = "hearth_inventory";

export const inventoryEnvironment = (content: JsonObject): JsonObject => ({
  parameter_defaults: { [INVENTORY_PARAMETER]: content },
});
