import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronPortPair: DeclaredType = {
  type: "OS::Neutron::PortPair",
  schema: {
    description:
      "A service function in a port chain. It has a port where traffic enters and a port where it leaves.",
    support: { status: "UNSUPPORTED", since: "7.0.0" },
    properties: {
      name: { type: "string", description: "The name of this port pair.", updateAllowed: true },
      description: {
        type: "string",
        description: "A description of this port pair.",
        updateAllowed: true,
      },
      ingress: {
        type: "string",
        description: "The name or ID of the port where traffic enters the service function.",
        required: true,
        constraints: [{ custom: "neutron.port" }],
      },
      egress: {
        type: "string",
        description: "The name or ID of the port where traffic leaves the service function.",
        required: true,
        constraints: [{ custom: "neutron.port" }],
      },
      service_function_parameters: {
        type: "map",
        description:
          "Settings of the service function, such as the traffic marks it understands (correlation).",
        default: { correlation: null },
      },
    },
    attributes: {},
  },
};
