import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronExtraRouteSet: DeclaredType = {
  type: "OS::Neutron::ExtraRouteSet",
  schema: {
    description:
      "A set of static routes on a router. Neutron must have the extraroute-atomic extension. Nothing else may set the same routes.",
    support: { since: "14.0.0" },
    properties: {
      router: {
        type: "string",
        description: "The name or ID of the router that gets the routes.",
        required: true,
        constraints: [{ custom: "neutron.router" }],
      },
      routes: {
        type: "list",
        description: "The static routes to add to the router.",
        default: [],
        updateAllowed: true,
        items: {
          type: "map",
          schema: {
            destination: {
              type: "string",
              description: "The destination network of the route, in CIDR notation.",
              required: true,
              constraints: [{ custom: "net_cidr" }],
            },
            nexthop: {
              type: "string",
              description: "The IP address of the next router on the route.",
              required: true,
              constraints: [{ custom: "ip_addr" }],
            },
          },
        },
      },
    },
    attributes: {},
  },
};
