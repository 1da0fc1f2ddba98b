import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { reads } from "#lib/resources/cloud/given-values.ts";

export const novaKeyPair: DeclaredType = {
  type: "OS::Nova::KeyPair",
  schema: {
    description:
      "A key pair for logging in to servers. Nova puts the public key on each server that names it.",
    support: { since: "2014.1" },
    properties: {
      name: {
        type: "string",
        description: "The key pair's name.",
        required: true,
        constraints: [{ length: { min: 1, max: 255 } }],
      },
      save_private_key: {
        type: "boolean",
        description: "Whether to keep a generated private key, so that private_key can return it.",
        default: false,
      },
      public_key: {
        type: "string",
        description:
          "The public key to import. Without it, Nova generates a key pair. From Nova API version 2.92 it is required.",
      },
      type: {
        type: "string",
        description: "The kind of key pair. Needs Nova API version 2.2.",
        support: { since: "8.0.0" },
        constraints: [{ allowedValues: ["ssh", "x509"] }],
      },
      user: {
        type: "string",
        description:
          "The user that owns the key pair, by name or ID. Needs administrator rights and Nova API version 2.10.",
        support: { since: "9.0.0" },
        constraints: [{ custom: "keystone.user" }],
      },
    },
    validate: (given) => reads(given, "type", "user", "public_key"),
    attributes: {
      public_key: { description: "The public key of the key pair.", type: "string" },
      private_key: {
        description: "The private key, if it was generated and kept. Otherwise it is empty.",
        type: "string",
      },
    },
  },
};
