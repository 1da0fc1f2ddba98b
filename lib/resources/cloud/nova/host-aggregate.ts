import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const novaHostAggregate: DeclaredType = {
  type: "OS::Nova::HostAggregate",
  schema: {
    description:
      "A group of compute hosts with shared metadata, by which the Nova scheduler can place servers. Needs administrator rights.",
    support: { since: "6.0.0" },
    properties: {
      name: {
        type: "string",
        description: "The name of the host aggregate.",
        required: true,
        updateAllowed: true,
      },
      availability_zone: {
        type: "string",
        description: "The availability zone that the hosts form.",
        updateAllowed: true,
      },
      hosts: {
        type: "list",
        description: "The hosts in the host aggregate, by name.",
        updateAllowed: true,
        items: { type: "string", constraints: [{ custom: "nova.host" }] },
      },
      metadata: {
        type: "map",
        description: "The metadata of the host aggregate as key-value pairs.",
        default: {},
        updateAllowed: true,
      },
    },
    attributes: {},
  },
};
