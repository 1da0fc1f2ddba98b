import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronTrunk: DeclaredType = {
  type: "OS::Neutron::Trunk",
  schema: {
    description:
      "A way for a server to use several networks through one port. Traffic of the parent port is untagged, and each subport has its own tag.",
    support: { since: "9.0.0" },
    properties: {
      name: { type: "string", description: "The name of this trunk.", updateAllowed: true },
      port: {
        type: "string",
        description: "The name or ID of the parent port.",
        required: true,
        immutable: true,
        constraints: [{ custom: "neutron.port" }],
      },
      sub_ports: {
        type: "list",
        description: "The subports of this trunk.",
        updateAllowed: true,
        items: {
          type: "map",
          schema: {
            port: {
              type: "string",
              description: "The name or ID of the subport.",
              required: true,
              constraints: [{ custom: "neutron.port" }],
            },
            segmentation_type: {
              type: "string",
              description: "The kind of tag on the subport's traffic.",
              required: true,
              constraints: [{ allowedValues: ["vlan"] }],
            },
            segmentation_id: {
              type: "integer",
              description: "The tag on the subport's traffic, such as a VLAN ID.",
              required: true,
              constraints: [{ range: { min: 1, max: 4094 } }],
            },
          },
        },
      },
      description: {
        type: "string",
        description: "A description of this trunk.",
        updateAllowed: true,
      },
      admin_state_up: {
        type: "boolean",
        description:
          "Whether this trunk is administratively up. A trunk that is down cannot be deleted, and its subports cannot change.",
        updateAllowed: true,
      },
    },
    attributes: {
      port_id: {
        description:
          "The ID of the parent port. A server that gets its port from here waits for the trunk.",
        type: "string",
      },
    },
  },
};
