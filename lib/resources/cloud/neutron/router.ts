import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { routerProblem } from "./router-checks.ts";

export const neutronRouter: DeclaredType = {
  type: "OS::Neutron::Router",
  schema: {
    description: "A router, which connects networks with each other and with an external network.",
    properties: {
      name: { type: "string", description: "The name of this router.", updateAllowed: true },
      external_gateway_info: {
        type: "map",
        description: "This router's gateway to an external network.",
        updateAllowed: true,
        schema: {
          network: {
            type: "string",
            description: "The name or ID of the external network.",
            required: true,
            updateAllowed: true,
          },
          enable_snat: {
            type: "boolean",
            description:
              "Whether the gateway replaces internal source addresses with its own (SNAT). Usually only an administrator may set it.",
            updateAllowed: true,
          },
          external_fixed_ips: {
            type: "list",
            description: "The IP addresses of this router on the external network.",
            updateAllowed: true,
            support: { since: "6.0.0" },
            items: {
              type: "map",
              schema: {
                ip_address: {
                  type: "string",
                  description: "The exact address to take from the subnet.",
                  constraints: [{ custom: "ip_addr" }],
                },
                subnet: {
                  type: "string",
                  description: "The name or ID of the subnet that provides the address.",
                  constraints: [{ custom: "neutron.subnet" }],
                },
              },
            },
          },
        },
      },
      value_specs: {
        type: "map",
        description:
          "Further fields to send to Neutron in the request. Extensions and drivers define them.",
        default: {},
        updateAllowed: true,
      },
      admin_state_up: {
        type: "boolean",
        description: "Whether this router is administratively up.",
        default: true,
        updateAllowed: true,
      },
      l3_agent_id: {
        type: "string",
        description: "The ID of the L3 agent that hosts this router. Use l3_agent_ids instead.",
        updateAllowed: true,
        support: {
          status: "HIDDEN",
          since: "6.0.0",
          previous: {
            status: "DEPRECATED",
            since: "2015.1",
            message: "Use property l3_agent_ids.",
            previous: { since: "2014.1" },
          },
        },
      },
      l3_agent_ids: {
        type: "list",
        description:
          "The IDs of the L3 agents that host this router. A highly available router can have several. Usually only an administrator may set them.",
        updateAllowed: true,
        support: { since: "2015.1" },
        items: { type: "string" },
      },
      distributed: {
        type: "boolean",
        description:
          "Whether this router is spread over the compute nodes. It excludes a choice of L3 agents. Usually only an administrator may set it.",
        support: { since: "2015.1" },
      },
      ha: {
        type: "boolean",
        description:
          "Whether several L3 agents keep this router available. It excludes a distributed router. Usually only an administrator may set it.",
        support: { since: "2015.1" },
      },
      availability_zone_hints: {
        type: "list",
        description:
          "The availability zones where Neutron may place this router. Neutron must have the availability_zone extension.",
        updateAllowed: true,
        support: { since: "19.0.0" },
      },
      tags: {
        type: "list",
        description: "The tags to put on this router.",
        updateAllowed: true,
        support: { since: "9.0.0" },
        items: { type: "string" },
      },
      tenant_id: {
        type: "string",
        description:
          "The ID of the project that owns this router. Only an administrator may choose another project.",
        support: { since: "24.0.0" },
      },
    },
    translations: [
      { add: ["l3_agent_ids"], from: { value: (id) => [id] }, when: "l3_agent_id" },
      { delete: ["l3_agent_id"], when: "l3_agent_id" },
    ],
    attributes: {
      status: {
        description: "The status of this router, such as ACTIVE or ERROR.",
        type: "string",
      },
      external_gateway_info: {
        description: "This router's gateway to an external network.",
        type: "map",
      },
      name: { description: "The name of this router.", type: "string" },
      admin_state_up: {
        description: "Whether this router is administratively up.",
        type: "string",
      },
      tenant_id: { description: "The ID of the project that owns this router.", type: "string" },
    },
    readWhenMade: ["l3_agent_id"],
    validate: routerProblem,
  },
};
