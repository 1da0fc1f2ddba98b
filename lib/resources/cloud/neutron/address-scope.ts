import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronAddressScope: DeclaredType = {
  type: "OS::Neutron::AddressScope",
  schema: {
    description:
      "A routing domain made of subnet pools. Addresses in it are unique, so its subnets reach each other without NAT.",
    support: { since: "6.0.0" },
    properties: {
      name: { type: "string", description: "The name of this address scope.", updateAllowed: true },
      shared: {
        type: "boolean",
        description:
          "Whether all projects may use this address scope. Usually only an administrator may set it. A shared scope cannot be made private again.",
        default: false,
        updateAllowed: true,
      },
      tenant_id: {
        type: "string",
        description:
          "The ID of the project that owns this address scope. Only an administrator may choose another project.",
        constraints: [{ custom: "keystone.project" }],
      },
      ip_version: {
        type: "integer",
        description: "The IP version of the addresses in this address scope.",
        default: 4,
        constraints: [{ allowedValues: [4, 6] }],
      },
    },
    attributes: {},
  },
};
