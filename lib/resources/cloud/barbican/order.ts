import type { JsonObject } from "#lib/json.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { reads } from "#lib/resources/cloud/given-values.ts";
import { isGiven, isSet, needs } from "#lib/resources/cloud/refusals.ts";

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

export const barbicanOrder: DeclaredType = {
  type: "OS::Barbican::Order",
  schema: {
    description:
      "A request for Barbican to generate a key, a key pair or a certificate. The result is stored as secrets.",
    support: { since: "2014.2" },
    properties: {
      name: { type: "string", description: "The name of the secret to generate." },
      payload_content_type: { type: "string", description: "The media type of the secret." },
      expiration: {
        type: "string",
        description: "The time when the secret expires, in ISO 8601 format.",
        constraints: [{ custom: "expiration" }],
      },
      algorithm: {
        type: "string",
        description:
          "The algorithm of the key, such as aes or rsa. Orders for keys and key pairs need it.",
      },
      bit_length: {
        type: "integer",
        description: "The length of the key in bits. Orders for keys and key pairs need it.",
      },
      mode: { type: "string", description: "The mode of the algorithm, such as cbc." },
      type: {
        type: "string",
        description: "What the order asks for: a symmetric key, a key pair or a certificate.",
        required: true,
        support: { since: "5.0.0" },
        constraints: [{ allowedValues: ["key", "asymmetric", "certificate"] }],
      },
      request_type: {
        type: "string",
        description: "The kind of certificate request.",
        support: { since: "5.0.0" },
        constraints: [{ allowedValues: ["stored-key", "simple-cmc", "custom"] }],
      },
      subject_dn: {
        type: "string",
        description: "The distinguished name of the subject of the certificate.",
        support: { since: "5.0.0" },
      },
      source_container_ref: {
        type: "string",
        description: "The container with the key pair for the certificate, by its URI.",
        support: { since: "5.0.0" },
        constraints: [{ custom: "barbican.container" }],
      },
      ca_id: {
        type: "string",
        description: "The ID of the certificate authority that issues the certificate.",
        support: { since: "5.0.0" },
      },
      profile: {
        type: "string",
        description: "The profile that the certificate authority applies to the certificate.",
        support: { since: "5.0.0" },
      },
      request_data: {
        type: "string",
        description: "The certificate signing request. Only orders for certificates take it.",
        support: { since: "5.0.0" },
      },
      pass_phrase: {
        type: "string",
        description:
          "The passphrase that protects the private key. Only orders for key pairs take it.",
        support: { since: "5.0.0" },
      },
    },
    attributes: {
      status: { description: "The order's status.", type: "string" },
      order_ref: { description: "The URI of the order.", type: "string" },
      secret_ref: { description: "The URI of the generated secret.", type: "string" },
      container_ref: {
        description: "The URI of the container with the generated secrets.",
        type: "string",
        support: { since: "5.0.0" },
      },
      public_key: {
        description: "The generated public key, if there is one.",
        type: "string",
        support: { since: "5.0.0" },
      },
      private_key: {
        description: "The generated private key, if there is one.",
        type: "string",
        support: { since: "5.0.0" },
      },
      certificate: {
        description: "The issued certificate, if there is one.",
        type: "string",
        support: { since: "5.0.0" },
      },
      intermediates: {
        description: "The intermediate certificates, if there are any.",
        type: "string",
        support: { since: "5.0.0" },
      },
    },
    validate,
  },
};
