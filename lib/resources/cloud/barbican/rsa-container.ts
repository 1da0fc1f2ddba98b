import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { refuseDuplicateValues } from "./duplicate-refs.ts";

export const barbicanRsaContainer: DeclaredType = {
  type: "OS::Barbican::RSAContainer",
  schema: {
    description: "A Barbican container for an RSA key pair and the passphrase of its private key.",
    support: { since: "6.0.0" },
    properties: {
      name: { type: "string", description: "The name of the container." },
      private_key_ref: {
        type: "string",
        description: "The private key, as a reference to a secret.",
        constraints: [{ custom: "barbican.secret" }],
      },
      private_key_passphrase_ref: {
        type: "string",
        description: "The passphrase of the private key, as a reference to a secret.",
        constraints: [{ custom: "barbican.secret" }],
      },
      public_key_ref: {
        type: "string",
        description: "The public key, as a reference to a secret.",
        constraints: [{ custom: "barbican.secret" }],
      },
    },
    attributes: {
      status: { description: "The container's status.", type: "string" },
      container_ref: { description: "The URI of the container.", type: "string" },
      secret_refs: {
        description: "The URIs of the secrets in the container, by name.",
        type: "map",
      },
      consumers: {
        description: "The registered users of the container, with their URLs.",
        type: "list",
      },
    },
    validate: refuseDuplicateValues,
  },
};
