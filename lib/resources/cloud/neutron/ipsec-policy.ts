import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronIpsecPolicy: DeclaredType = {
  type: "OS::Neutron::IPsecPolicy",
  schema: {
    description:
      "The rules by which a VPN connection encrypts, authenticates and wraps its packets.",
    properties: {
      name: { type: "string", description: "The name of this IPsec policy.", updateAllowed: true },
      description: {
        type: "string",
        description: "A description of this IPsec policy.",
        updateAllowed: true,
      },
      transform_protocol: {
        type: "string",
        description: "The IPsec protocol that protects the packets.",
        default: "esp",
        constraints: [{ allowedValues: ["esp", "ah", "ah-esp"] }],
      },
      encapsulation_mode: {
        type: "string",
        description: "Whether IPsec wraps whole packets or only their payload.",
        default: "tunnel",
        constraints: [{ allowedValues: ["tunnel", "transport"] }],
      },
      auth_algorithm: {
        type: "string",
        description: "The hash algorithm that authenticates the packets.",
        default: "sha1",
        constraints: [{ allowedValues: ["sha1"] }],
      },
      encryption_algorithm: {
        type: "string",
        description: "The algorithm that encrypts the packets.",
        default: "aes-128",
        constraints: [{ allowedValues: ["3des", "aes-128", "aes-192", "aes-256"] }],
      },
      lifetime: {
        type: "map",
        description: "How long a security association lasts before it is renewed.",
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
        constraints: [{ allowedValues: ["group2", "group5", "group14"] }],
      },
    },
    attributes: {
      auth_algorithm: {
        description: "The hash algorithm that authenticates the packets.",
        type: "string",
      },
      description: { description: "A description of this IPsec policy.", type: "string" },
      encapsulation_mode: {
        description: "Whether IPsec wraps whole packets or only their payload.",
        type: "string",
      },
      encryption_algorithm: {
        description: "The algorithm that encrypts the packets.",
        type: "string",
      },
      lifetime: {
        description: "How long a security association lasts before it is renewed.",
        type: "map",
      },
      name: { description: "The name of this IPsec policy.", type: "string" },
      pfs: { description: "The Diffie-Hellman group for perfect forward secrecy.", type: "string" },
      tenant_id: {
        description: "The ID of the project that owns this IPsec policy.",
        type: "string",
      },
      transform_protocol: {
        description: "The IPsec protocol that protects the packets.",
        type: "string",
      },
    },
  },
};
