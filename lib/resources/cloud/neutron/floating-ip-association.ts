import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronFloatingIpAssociation: DeclaredType = {
  type: "OS::Neutron::FloatingIPAssociation",
  schema: {
    description:
      "A link between a floating IP and a port, which makes the port reachable at that address.",
    properties: {
      floatingip_id: {
        type: "string",
        description: "The ID of the floating IP for the port.",
        required: true,
        updateAllowed: true,
      },
      port_id: {
        type: "string",
        description:
          "The ID of the port to which the floating IP leads. The port must have a fixed IP address.",
        required: true,
        updateAllowed: true,
        constraints: [{ custom: "neutron.port" }],
      },
      fixed_ip_address: {
        type: "string",
        description: "The fixed IP address to use on a port that has several.",
        updateAllowed: true,
        constraints: [{ custom: "ip_addr" }],
      },
    },
    attributes: {},
  },
};
