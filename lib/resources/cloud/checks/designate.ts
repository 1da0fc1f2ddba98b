import type { JsonObject } from "#lib/json.ts";
import type { ServiceRules } from "#lib/resources/cloud/declared-type.ts";
import { isSet } from "#lib/resources/cloud/given-values.ts";
import { member } from "#lib/template/json-shape.ts";

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

export const DESIGNATE_RULES: ServiceRules = {
  "OS::Designate::Zone": { validate: refuseZone },
};
