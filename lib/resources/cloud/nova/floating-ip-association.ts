import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const novaFloatingIpAssociation: DeclaredType = {
  type: "OS::Nova::FloatingIPAssociation",
  schema: {
    description:
      "A link between a floating IP and a server. Use OS::Neutron::FloatingIPAssociation instead.",
    support: {
      status: "HIDDEN",
      since: "11.0.0",
      message: "Please use OS::Neutron::FloatingIPAssociation instead.",
      previous: {
        status: "DEPRECATED",
        since: "9.0.0",
        message: "Please use OS::Neutron::FloatingIPAssociation instead.",
        previous: { since: "2014.1" },
      },
    },
    templateName: "NovaFloatingIpAssociation",
    properties: {
      server_id: {
        type: "string",
        description: "The ID of the server.",
        required: true,
        updateAllowed: true,
        constraints: [{ custom: "nova.server" }],
      },
      floating_ip: {
        type: "string",
        description: "The ID of the floating IP.",
        required: true,
        updateAllowed: true,
      },
    },
    attributes: {},
  },
};
