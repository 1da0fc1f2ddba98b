import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { valueSpecsProblem } from "./value-specs.ts";

export const neutronFirewall: DeclaredType = {
  type: "OS::Neutron::Firewall",
  schema: {
    description:
      "A firewall of FWaaS v1. It filters the traffic through a project's routers by the rules of a policy.",
    properties: {
      name: { type: "string", description: "The name of this firewall.", updateAllowed: true },
      description: {
        type: "string",
        description: "A description of this firewall.",
        updateAllowed: true,
      },
      admin_state_up: {
        type: "boolean",
        description:
          "Whether this firewall is administratively up. A firewall that is down drops all traffic.",
        default: true,
        updateAllowed: true,
      },
      firewall_policy_id: {
        type: "string",
        description: "The ID of the policy whose rules this firewall applies.",
        required: true,
        updateAllowed: true,
      },
      value_specs: {
        type: "map",
        description:
          "Further fields to send to Neutron in the request. Extensions and drivers define them.",
        default: {},
        updateAllowed: true,
        support: { since: "5.0.0" },
      },
      shared: {
        type: "boolean",
        description:
          "Whether all projects may use this firewall. Usually only an administrator may set it. Neutron may not support it.",
        updateAllowed: true,
        support: {
          status: "UNSUPPORTED",
          since: "6.0.0",
          message:
            "There is no such option during 5.0.0, so need to make this property unsupported while it not used.",
          previous: { since: "2015.1" },
        },
      },
    },
    attributes: {
      name: { description: "The name of this firewall.", type: "string" },
      description: { description: "A description of this firewall.", type: "string" },
      admin_state_up: {
        description: "Whether this firewall is administratively up.",
        type: "string",
      },
      firewall_policy_id: {
        description: "The ID of the policy whose rules this firewall applies.",
        type: "string",
      },
      shared: {
        description: "Whether all projects may use this firewall.",
        type: "string",
        support: {
          status: "UNSUPPORTED",
          since: "6.0.0",
          message:
            "There is no such option during 5.0.0, so need to make this attribute unsupported, otherwise error will raised.",
        },
      },
      status: {
        description: "The status of this firewall, such as ACTIVE or PENDING_CREATE.",
        type: "string",
      },
      tenant_id: { description: "The ID of the project that owns this firewall.", type: "string" },
    },
    validate: (given) => valueSpecsProblem(given, neutronFirewall),
  },
};
