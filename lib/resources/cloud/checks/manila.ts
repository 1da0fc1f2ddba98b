import { propertyDependency } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import type { ServiceRules } from "#lib/resources/cloud/declared-type.ts";
import { isSet } from "#lib/resources/cloud/given-values.ts";

const refuseShareNetwork = (given: JsonObject): Problem => {
  if (isSet(given, "nova_network")) return "Nova network is no longer supported";
  return isSet(given, "neutron_network") && !isSet(given, "neutron_subnet")
    ? propertyDependency("neutron_network", "neutron_subnet")
    : null;
};

export const MANILA_RULES: ServiceRules = {
  "OS::Manila::ShareNetwork": { validate: refuseShareNetwork },
};
