import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const octaviaLoadBalancer: DeclaredType = {
  type: "OS::Octavia::LoadBalancer",
  schema: {
    description:
      "An Octavia load balancer: one address whose traffic is spread over several servers.",
    support: { since: "10.0.0" },
    properties: {
      description: {
        type: "string",
        description: "The description of the load balancer.",
        default: "",
        updateAllowed: true,
      },
      name: { type: "string", description: "The name of the load balancer.", updateAllowed: true },
      provider: { type: "string", description: "The name of the provider of the load balancer." },
      vip_address: {
        type: "string",
        description: "The IP address that clients connect to.",
        constraints: [{ custom: "ip_addr" }],
      },
      vip_subnet: {
        type: "string",
        description: "The subnet of the load balancer's address, by ID or name.",
        required: true,
        constraints: [{ custom: "neutron.subnet" }],
      },
      admin_state_up: {
        type: "boolean",
        description: "Whether the load balancer is in use.",
        default: true,
        updateAllowed: true,
      },
      tenant_id: {
        type: "string",
        description:
          "The ID of the project that owns the load balancer. Only administrators can name another project.",
        constraints: [{ custom: "keystone.project" }],
      },
      flavor: {
        type: "string",
        description: "The load balancer's flavor, by ID or name.",
        support: { since: "14.0.0" },
        constraints: [{ custom: "octavia.flavor" }],
      },
      availability_zone: {
        type: "string",
        description: "The name of the load balancer's availability zone.",
        support: { since: "17.0.0" },
        constraints: [{ custom: "octavia.availabilityzone" }],
      },
    },
    attributes: {
      vip_address: { description: "The IP address that clients connect to.", type: "string" },
      vip_port_id: {
        description: "The ID of the port with the load balancer's address.",
        type: "string",
      },
      vip_subnet_id: {
        description: "The ID of the subnet of the load balancer's address.",
        type: "string",
      },
      pools: { description: "The pools of the load balancer.", type: "list" },
      flavor_id: { description: "The ID of the flavor of the load balancer.", type: "string" },
    },
  },
};
