import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { needsLimit } from "#lib/resources/cloud/quota-checks.ts";

export const neutronQuota: DeclaredType = {
  type: "OS::Neutron::Quota",
  schema: {
    description:
      "The limits on how many Neutron objects a project may have. Usually only an administrator may set them, once for each project.",
    support: { since: "8.0.0" },
    templateName: "NeutronQuota",
    properties: {
      project: {
        type: "string",
        description: "The project to limit, by name or ID.",
        required: true,
        constraints: [{ custom: "keystone.project" }],
      },
      subnet: {
        type: "integer",
        description: "The most subnets that the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      network: {
        type: "integer",
        description: "The most networks that the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      floatingip: {
        type: "integer",
        description: "The most floating IPs that the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      security_group_rule: {
        type: "integer",
        description: "The most security group rules that the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      security_group: {
        type: "integer",
        description: "The most security groups that the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      router: {
        type: "integer",
        description: "The most routers that the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      port: {
        type: "integer",
        description: "The most ports that the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      subnetpool: {
        type: "integer",
        description: "The most subnet pools that the project may have. -1 means no limit.",
        updateAllowed: true,
        support: { since: "12.0.0" },
        constraints: [{ range: { min: -1 } }],
      },
      rbac_policy: {
        type: "integer",
        description: "The most RBAC policies that the project may have. -1 means no limit.",
        updateAllowed: true,
        support: { since: "12.0.0" },
        constraints: [{ range: { min: -1 } }],
      },
    },
    attributes: {},
    validate: needsLimit([
      "subnet",
      "network",
      "floatingip",
      "security_group_rule",
      "security_group",
      "router",
      "port",
      "subnetpool",
      "rbac_policy",
    ]),
  },
};
