import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

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
  },
};
