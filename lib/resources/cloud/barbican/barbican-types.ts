import type { JsonObject } from "#lib/json.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import {
  type DeclaredType,
  declaredTypes,
  type TypeRules,
} from "#lib/resources/cloud/declared-type.ts";
import { reads } from "#lib/resources/cloud/given-values.ts";
import { isGiven, isSet, needs } from "#lib/resources/cloud/refusals.ts";
import { refuseDuplicateValues } from "./duplicate-refs.ts";
import { barbicanGenericContainer } from "./generic-container.ts";
import { barbicanSecret } from "./secret.ts";
import types from "./types.json" with { type: "json" };

const KEY_PROPERTIES = [
  "algorithm",
  "bit_length",
  "expiration",
  "mode",
  "name",
  "payload_content_type",
];

const PROPERTIES_OF_TYPE = new Map<unknown, readonly string[]>([
  ["key", KEY_PROPERTIES],
  ["asymmetric", [...KEY_PROPERTIES, "pass_phrase"].toSorted()],
  [
    "certificate",
    [
      "ca_id",
      "name",
      "profile",
      "request_data",
      "request_type",
      "source_container_ref",
      "subject_dn",
    ],
  ],
]);

const validate = (given: JsonObject): Refusal | null => {
  const { type } = given;
  if (type === "certificate") {
    if (isSet(given, "profile") && !isSet(given, "ca_id")) return needs("profile", "ca_id");
  } else if (!isGiven(given, "algorithm") || !isGiven(given, "bit_length")) {
    return `Properties algorithm and bit_length are required for ${type} type of order.`;
  }
  const allowed = PROPERTIES_OF_TYPE.get(type);
  // A type that waits allows nothing yet.
  if (allowed === undefined) return null;
  reads(given, ...Object.keys(given));
  const unexpected = Object.keys(given).filter((key) => key !== "type" && !allowed.includes(key));
  return unexpected.length === 0
    ? null
    : `Unexpected properties: ${unexpected.toSorted().join(", ")}. Only these properties are allowed for ${type} type of order: ${allowed.join(", ")}.`;
};

const barbicanOrder: TypeRules = {
  validate,
};

export const BARBICAN_TYPES: readonly DeclaredType[] = declaredTypes(types, {
  "OS::Barbican::CertificateContainer": { validate: refuseDuplicateValues },
  "OS::Barbican::GenericContainer": barbicanGenericContainer,
  "OS::Barbican::Order": barbicanOrder,
  "OS::Barbican::RSAContainer": { validate: refuseDuplicateValues },
  "OS::Barbican::Secret": barbicanSecret,
});
