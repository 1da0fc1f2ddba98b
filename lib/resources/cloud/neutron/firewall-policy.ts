import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronFirewallPolicy: DeclaredType = {
  type: "OS::Neutron::FirewallPolicy",
  schema: {
    description: "An ordered list of firewall rules, which a firewall applies.",
    properties: {
      name: {
        type: "string",
        description: "The name of this firewall policy.",
        updateAllowed: true,
      },
      description: {
        type: "string",
        description: "A description of this firewall policy.",
        updateAllowed: true,
      },
      shared: {
        type: "boolean",
        description: "Whether all projects may use this firewall policy.",
        default: false,
        updateAllowed: true,
      },
      audited: {
        type: "boolean",
        description:
          "Whether this firewall policy has been audited. Any change to the policy or its rules sets this back to false.",
        default: false,
        updateAllowed: true,
      },
      firewall_rules: {
        type: "list",
        description: "The IDs of the firewall rules, in the order in which they apply.",
        updateAllowed: true,
      },
    },
    attributes: {
      name: { description: "The name of this firewall policy.", type: "string" },
      description: { description: "A description of this firewall policy.", type: "string" },
      firewall_rules: {
        description: "The IDs of the firewall rules, in the order in which they apply.",
        type: "list",
      },
      shared: { description: "Whether all projects may use this firewall policy.", type: "string" },
      audited: { description: "Whether this firewall policy has been audited.", type: "string" },
      tenant_id: {
        description: "The ID of the project that owns this firewall policy.",
        type: "string",
      },
    },
  },
};
