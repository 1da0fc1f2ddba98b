import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { refuseDuplicateValues } from "./duplicate-refs.ts";

export const barbicanCertificateContainer: DeclaredType = {
  type: "OS::Barbican::CertificateContainer",
  schema: {
    description:
      "A Barbican container for a certificate, its private key and its chain. It groups secrets that are stored already.",
    support: { since: "6.0.0" },
    properties: {
      name: { type: "string", description: "The name of the container." },
      certificate_ref: {
        type: "string",
        description: "The certificate, as a reference to a secret.",
        constraints: [{ custom: "barbican.secret" }],
      },
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
      intermediates_ref: {
        type: "string",
        description: "The intermediate certificates, as a reference to a secret.",
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
