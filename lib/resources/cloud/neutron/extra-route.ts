import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronExtraRoute: DeclaredType = {
  type: "OS::Neutron::ExtraRoute",
  schema: {
    description:
      "A static route on a router. OS::Neutron::ExtraRouteSet is safer when several routes change at once.",
    support: { status: "UNSUPPORTED", message: "Use this resource at your own risk." },
    properties: {
      router_id: {
        type: "string",
        description: "The ID of the router that gets the route.",
        required: true,
        constraints: [{ custom: "neutron.router" }],
      },
      destination: {
        type: "string",
        description: "The destination network of the route, in CIDR notation.",
        required: true,
      },
      nexthop: {
        type: "string",
        description: "The IP address of the next router on the route.",
        required: true,
      },
    },
    attributes: {},
  },
};
