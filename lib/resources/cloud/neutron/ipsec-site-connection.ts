import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronIpsecSiteConnection: DeclaredType = {
  type: "OS::Neutron::IPsecSiteConnection",
  schema: {
    description: "A VPN connection from a VPN service to a remote site.",
    properties: {
      name: {
        type: "string",
        description: "The name of this IPsec site connection.",
        updateAllowed: true,
      },
      description: {
        type: "string",
        description: "A description of this IPsec site connection.",
        updateAllowed: true,
      },
      peer_address: {
        type: "string",
        description: "The public address of the remote gateway, as an IP address or a domain name.",
        required: true,
      },
      peer_id: {
        type: "string",
        description: "The identity of the remote gateway in the key exchange.",
        required: true,
      },
      peer_cidrs: {
        type: "list",
        description: "The remote networks to connect, in CIDR notation.",
        required: true,
        items: { type: "string", constraints: [{ custom: "net_cidr" }] },
      },
      mtu: {
        type: "integer",
        description: "The largest packet that the connection sends, in bytes.",
        default: 1500,
      },
      dpd: {
        type: "map",
        description:
          "How the connection notices that the remote gateway is gone, and what it does then.",
        schema: {
          actions: {
            type: "string",
            description: "What to do when the remote gateway is gone.",
            default: "hold",
            constraints: [
              { allowedValues: ["clear", "disabled", "hold", "restart", "restart-by-peer"] },
            ],
          },
          interval: {
            type: "integer",
            description: "The time between two checks, in seconds.",
            default: 30,
          },
          timeout: {
            type: "integer",
            description:
              "The time without an answer until the remote gateway counts as gone, in seconds.",
            default: 120,
          },
        },
      },
      psk: {
        type: "string",
        description: "The secret that both sites share to authenticate each other.",
        required: true,
      },
      initiator: {
        type: "string",
        description: "Whether this site may start the connection or only answers.",
        default: "bi-directional",
        constraints: [{ allowedValues: ["bi-directional", "response-only"] }],
      },
      admin_state_up: {
        type: "boolean",
        description: "Whether this IPsec site connection is administratively up.",
        default: true,
        updateAllowed: true,
      },
      ikepolicy_id: { type: "string", description: "The ID of the IKE policy.", required: true },
      ipsecpolicy_id: {
        type: "string",
        description: "The ID of the IPsec policy.",
        required: true,
      },
      vpnservice_id: { type: "string", description: "The ID of the VPN service.", required: true },
    },
    attributes: {
      admin_state_up: {
        description: "Whether this IPsec site connection is administratively up.",
        type: "string",
      },
      auth_mode: {
        description: "How the two sites authenticate each other, such as psk.",
        type: "string",
      },
      description: { description: "A description of this IPsec site connection.", type: "string" },
      dpd: {
        description:
          "How the connection notices that the remote gateway is gone, and what it does then.",
        type: "map",
      },
      ikepolicy_id: { description: "The ID of the IKE policy.", type: "string" },
      initiator: {
        description: "Whether this site may start the connection or only answers.",
        type: "string",
      },
      ipsecpolicy_id: { description: "The ID of the IPsec policy.", type: "string" },
      mtu: {
        description: "The largest packet that the connection sends, in bytes.",
        type: "string",
      },
      name: { description: "The name of this IPsec site connection.", type: "string" },
      peer_address: {
        description: "The public address of the remote gateway, as an IP address or a domain name.",
        type: "string",
      },
      peer_cidrs: {
        description: "The remote networks to connect, in CIDR notation.",
        type: "list",
      },
      peer_id: {
        description: "The identity of the remote gateway in the key exchange.",
        type: "string",
      },
      psk: {
        description: "The secret that both sites share to authenticate each other.",
        type: "string",
      },
      route_mode: {
        description: "How the connection gets its routes, such as static.",
        type: "string",
      },
      status: {
        description: "The status of this IPsec site connection, such as ACTIVE or DOWN.",
        type: "string",
      },
      tenant_id: {
        description: "The ID of the project that owns this IPsec site connection.",
        type: "string",
      },
      vpnservice_id: { description: "The ID of the VPN service.", type: "string" },
    },
  },
};
