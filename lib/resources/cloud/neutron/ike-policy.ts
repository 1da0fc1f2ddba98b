import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronIkePolicy: DeclaredType = {
  type: "OS::Neutron::IKEPolicy",
  schema: {
    description: "The rules by which two VPN sites authenticate each other and exchange keys.",
    properties: {
      name: { type: "string", description: "The name of this IKE policy.", updateAllowed: true },
      description: {
        type: "string",
        description: "A description of this IKE policy.",
        updateAllowed: true,
      },
      auth_algorithm: {
        type: "string",
        description: "The hash algorithm that authenticates the messages of the key exchange.",
        default: "sha1",
        updateAllowed: true,
        constraints: [{ allowedValues: ["sha1", "sha256", "sha384", "sha512"] }],
      },
      encryption_algorithm: {
        type: "string",
        description: "The algorithm that encrypts the messages of the key exchange.",
        default: "aes-128",
        updateAllowed: true,
        constraints: [{ allowedValues: ["3des", "aes-128", "aes-192", "aes-256"] }],
      },
      phase1_negotiation_mode: {
        type: "string",
        description: "The mode of the first phase of the key exchange.",
        default: "main",
        constraints: [{ allowedValues: ["main"] }],
      },
      lifetime: {
        type: "map",
        description: "How long a security association lasts before it is renewed.",
        updateAllowed: true,
        schema: {
          units: {
            type: "string",
            description: "The unit of the lifetime.",
            default: "seconds",
            constraints: [{ allowedValues: ["seconds", "kilobytes"] }],
          },
          value: {
            type: "integer",
            description: "The length of the lifetime, in its unit.",
            default: 3600,
          },
        },
      },
      pfs: {
        type: "string",
        description: "The Diffie-Hellman group for perfect forward secrecy.",
        default: "group5",
        updateAllowed: true,
        constraints: [{ allowedValues: ["group2", "group5", "group14"] }],
      },
      ike_version: {
        type: "string",
        description: "The version of the IKE protocol.",
        default: "v1",
        updateAllowed: true,
        constraints: [{ allowedValues: ["v1", "v2"] }],
      },
    },
    attributes: {
      auth_algorithm: {
        description: "The hash algorithm that authenticates the messages of the key exchange.",
        type: "string",
      },
      description: { description: "A description of this IKE policy.", type: "string" },
      encryption_algorithm: {
        description: "The algorithm that encrypts the messages of the key exchange.",
        type: "string",
      },
      ike_version: { description: "The version of the IKE protocol.", type: "string" },
      lifetime: {
        description: "How long a security association lasts before it is renewed.",
        type: "map",
      },
      name: { description: "The name of this IKE policy.", type: "string" },
      pfs: { description: "The Diffie-Hellman group for perfect forward secrecy.", type: "string" },
      phase1_negotiation_mode: {
        description: "The mode of the first phase of the key exchange.",
        type: "string",
      },
      tenant_id: {
        description: "The ID of the project that owns this IKE policy.",
        type: "string",
      },
    },
  },
};
