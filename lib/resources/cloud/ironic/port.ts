import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const ironicPort: DeclaredType = {
  type: "OS::Ironic::Port",
  schema: {
    description:
      "A network interface of a bare metal node in Ironic. It records the MAC address and the switch connection.",
    support: { since: "13.0.0" },
    properties: {
      node: {
        type: "string",
        description: "The node that has the port, by name or UUID.",
        required: true,
        updateAllowed: true,
        constraints: [{ custom: "ironic.node" }],
      },
      address: {
        type: "string",
        description: "The MAC address of the port.",
        required: true,
        updateAllowed: true,
      },
      portgroup: {
        type: "string",
        description: "The port group of the port, by name or UUID.",
        updateAllowed: true,
        constraints: [{ custom: "ironic.portgroup" }],
      },
      local_link_connection: {
        type: "map",
        description:
          "The switch and switch port that the node connects to. Needs switch_id, a MAC address or OpenFlow datapath ID, and port_id. May have switch_info.",
        updateAllowed: true,
      },
      pxe_enabled: {
        type: "boolean",
        description: "Whether the node may boot over the network from this port.",
        updateAllowed: true,
      },
      physical_network: {
        type: "string",
        description: "The physical network that the port connects to.",
        updateAllowed: true,
      },
      extra: {
        type: "map",
        description: "Further metadata of the port as key-value pairs.",
        updateAllowed: true,
      },
      is_smartnic: {
        type: "boolean",
        description: "Whether the port is on a Smart NIC.",
        updateAllowed: true,
      },
    },
    attributes: {
      address: { description: "The MAC address of the port.", type: "string" },
      node_uuid: { description: "The UUID of the node that has the port.", type: "string" },
      portgroup_uuid: { description: "The UUID of the port group of the port.", type: "string" },
      local_link_connection: {
        description: "The switch and switch port that the node connects to.",
        type: "map",
      },
      pxe_enabled: {
        description: "Whether the node may boot over the network from this port.",
        type: "boolean",
      },
      physical_network: {
        description: "The physical network that the port connects to.",
        type: "string",
      },
      internal_info: {
        description: "Metadata that Ironic keeps about the port for itself.",
        type: "map",
      },
      extra: { description: "Further metadata of the port as key-value pairs.", type: "map" },
      is_smartnic: { description: "Whether the port is on a Smart NIC.", type: "boolean" },
    },
  },
};
