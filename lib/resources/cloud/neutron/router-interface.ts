import { propertyConflict, propertyUnspecified } from "#lib/errors.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { isGiven, reads } from "#lib/resources/cloud/given-values.ts";

export const neutronRouterInterface: DeclaredType = {
  type: "OS::Neutron::RouterInterface",
  schema: {
    description: "A connection of a router to a subnet or a port.",
    properties: {
      router: {
        type: "string",
        description: "The name or ID of the router to connect.",
        required: true,
        constraints: [{ custom: "neutron.router" }],
      },
      router_id: {
        type: "string",
        description: "The ID of the router to connect. Use router instead.",
        support: {
          status: "HIDDEN",
          since: "6.0.0",
          previous: {
            status: "DEPRECATED",
            since: "2015.1",
            message: "Use property router.",
            previous: { since: "2013.1" },
          },
        },
        constraints: [{ custom: "neutron.router" }],
      },
      subnet_id: {
        type: "string",
        support: {
          status: "HIDDEN",
          since: "5.0.0",
          message: "Use property subnet.",
          previous: { status: "DEPRECATED", since: "2014.2" },
        },
        constraints: [{ custom: "neutron.subnet" }],
      },
      subnet: {
        type: "string",
        description:
          "The name or ID of the subnet to connect. Either a subnet or a port is needed.",
        constraints: [{ custom: "neutron.subnet" }],
      },
      port_id: {
        type: "string",
        description: "The ID of the port to connect. Use port instead.",
        support: {
          status: "HIDDEN",
          since: "6.0.0",
          previous: {
            status: "DEPRECATED",
            since: "2015.1",
            message: "Use property port.",
            previous: { since: "2014.1" },
          },
        },
        constraints: [{ custom: "neutron.port" }],
      },
      port: {
        type: "string",
        description: "The name or ID of the port to connect. Either a subnet or a port is needed.",
        support: { since: "2015.1" },
        constraints: [{ custom: "neutron.port" }],
      },
    },
    translations: [
      { replace: ["port"], by: { property: ["port_id"] } },
      { replace: ["router"], by: { property: ["router_id"] } },
      { replace: ["subnet"], by: { property: ["subnet_id"] } },
    ],
    attributes: {},
    validate: (given) => {
      reads(given, "subnet", "port");
      const hasPort = isGiven(given, "port");
      if (isGiven(given, "subnet") !== hasPort) return null;
      return hasPort ? propertyConflict("subnet", "port") : propertyUnspecified("subnet", "port");
    },
  },
};
