import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const novaFloatingIp: DeclaredType = {
  type: "OS::Nova::FloatingIP",
  schema: {
    description:
      "A public IP address that can move between servers. Use OS::Neutron::FloatingIP instead.",
    support: {
      status: "HIDDEN",
      since: "11.0.0",
      message: "Please use OS::Neutron::FloatingIP instead.",
      previous: {
        status: "DEPRECATED",
        since: "9.0.0",
        message: "Please use OS::Neutron::FloatingIP instead.",
        previous: { since: "2014.1" },
      },
    },
    templateName: "NovaFloatingIp",
    properties: {
      pool: {
        type: "string",
        description: "The external network that the floating IP comes from.",
      },
    },
    attributes: {
      pool: {
        description: "The external network that the floating IP comes from.",
        type: "string",
      },
      ip: { description: "The address of the floating IP.", type: "string" },
    },
  },
};
