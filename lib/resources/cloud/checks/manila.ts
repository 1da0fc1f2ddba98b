import type { JsonObject } from "#lib/json.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import type { ServiceRules, TypeRules } from "#lib/resources/cloud/declared-type.ts";
import { isSet } from "#lib/resources/cloud/given-values.ts";
import { needs } from "#lib/resources/cloud/refusals.ts";

const validate = (given: JsonObject): Refusal | null => {
  if (isSet(given, "nova_network")) return "Nova network is no longer supported";
  return isSet(given, "neutron_network") && !isSet(given, "neutron_subnet")
    ? needs("neutron_network", "neutron_subnet")
    : null;
};

const manilaShareNetwork: TypeRules = {
  validate,
};

export const MANILA_RULES: ServiceRules = {
  "OS::Manila::ShareNetwork": manilaShareNetwork,
};
