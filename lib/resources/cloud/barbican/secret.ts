import type { JsonObject } from "#lib/json.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { isSet, needs, needsValue } from "#lib/resources/cloud/refusals.ts";
import { member } from "#lib/template/json-shape.ts";
import { isBase64 } from "./base64.ts";

const CONTENT = "payload_content_type";
const ENCODING = "payload_content_encoding";
const BINARY = "application/octet-stream";

const validate = (given: JsonObject): Refusal | null => {
  const content = member(given, CONTENT);
  if (isSet(given, CONTENT)) {
    const payload = member(given, "payload");
    if (!isSet(given, "payload")) return needs(CONTENT, "payload");
    if (content === BINARY) {
      if (!isSet(given, ENCODING)) {
        return `Property unspecified. For '${BINARY}' value of '${CONTENT}' property, '${ENCODING}' property must be specified.`;
      }
      if (typeof payload === "string" && !isBase64(payload)) {
        return `Invalid payload for specified '${given[ENCODING]}' value of '${ENCODING}' property.`;
      }
    }
  }
  return isSet(given, ENCODING) && (!isSet(given, CONTENT) || content === "text/plain")
    ? needsValue(ENCODING, CONTENT, BINARY)
    : null;
};

export const barbicanSecret: DeclaredType = {
  type: "OS::Barbican::Secret",
  schema: {
    description:
      "A piece of sensitive data, such as a key, a password or a certificate. Barbican stores it encrypted.",
    support: { since: "2014.2" },
    properties: {
      name: { type: "string", description: "The name of the secret." },
      payload: { type: "string", description: "The data to store, unencrypted." },
      secret_type: {
        type: "string",
        description: "The kind of data in the secret.",
        default: "opaque",
        support: { since: "5.0.0" },
        constraints: [
          {
            allowedValues: [
              "symmetric",
              "public",
              "private",
              "certificate",
              "passphrase",
              "opaque",
            ],
          },
        ],
      },
      payload_content_type: {
        type: "string",
        description: "The media type of the payload.",
        constraints: [{ allowedValues: ["text/plain", "application/octet-stream"] }],
      },
      payload_content_encoding: {
        type: "string",
        description: "The encoding of the payload. Binary data needs one.",
        constraints: [{ allowedValues: ["base64"] }],
      },
      expiration: {
        type: "string",
        description: "The time when the secret expires, in ISO 8601 format.",
        constraints: [{ custom: "expiration" }],
      },
      algorithm: {
        type: "string",
        description: "The algorithm that the key is for, such as aes or rsa.",
      },
      bit_length: {
        type: "integer",
        description: "The length of the key in bits.",
        constraints: [{ range: { min: 0 } }],
      },
      mode: { type: "string", description: "The mode of the algorithm, such as cbc." },
    },
    attributes: {
      status: { description: "The secret's status.", type: "string" },
      decrypted_payload: { description: "The stored data, unencrypted.", type: "string" },
    },
    validate,
  },
};
