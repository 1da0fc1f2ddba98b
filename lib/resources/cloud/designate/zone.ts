import type { JsonObject } from "#lib/json.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { isSet } from "#lib/resources/cloud/refusals.ts";
import { member } from "#lib/template/json-shape.ts";

/** What a zone of each type needs. The newer name of masters is primaries. */
const NEEDS: readonly (readonly [string, readonly string[]])[] = [
  ["PRIMARY", ["email"]],
  ["SECONDARY", ["masters", "primaries"]],
];

const validate = (given: JsonObject): string | null => {
  for (const [type, keys] of NEEDS) {
    if (member(given, "type") === type && !keys.some((key) => isSet(given, key))) {
      return `Property ${keys[0]} is required for zone type ${type}`;
    }
  }
  return null;
};

export const designateZone: DeclaredType = {
  type: "OS::Designate::Zone",
  schema: {
    description: "A DNS zone that Designate serves. It holds the records of a domain name.",
    support: { since: "8.0.0" },
    templateName: "DesignateZone",
    properties: {
      name: {
        type: "string",
        description: "The DNS name of the zone, with a dot at the end.",
        required: true,
        constraints: [{ length: { max: 255 } }],
      },
      ttl: {
        type: "integer",
        description: "How long resolvers may cache the records, in seconds.",
        updateAllowed: true,
        constraints: [{ range: { min: 1, max: 2147483647 } }],
      },
      description: {
        type: "string",
        description: "The description of the zone.",
        updateAllowed: true,
        constraints: [{ length: { max: 160 } }],
      },
      email: {
        type: "string",
        description:
          "The email address in the SOA record of the zone. A primary zone needs it and a secondary zone ignores it.",
        updateAllowed: true,
      },
      type: {
        type: "string",
        description:
          "Whether Designate owns the data of the zone or copies it from another DNS server.",
        default: "PRIMARY",
        constraints: [{ allowedValues: ["PRIMARY", "SECONDARY"] }],
      },
      masters: {
        type: "list",
        description:
          "The DNS servers that a secondary zone copies its data from. Use primaries instead.",
        updateAllowed: true,
        support: { status: "DEPRECATED", since: "15.0.0", message: "Use ``primaries`` instead." },
      },
      primaries: {
        type: "list",
        description:
          "The DNS servers that a secondary zone copies its data from. A primary zone ignores them.",
        updateAllowed: true,
      },
      attributes: {
        type: "map",
        description:
          "Facts about the zone as key-value pairs. The Designate scheduler chooses a pool by them.",
        support: { since: "24.0.0" },
      },
    },
    translations: [{ replace: ["masters"], by: { sibling: "primaries" } }],
    attributes: {
      serial: { description: "The serial number in the SOA record of the zone.", type: "string" },
    },
    validate,
  },
};
