import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const neutronMeteringLabel: DeclaredType = {
  type: "OS::Neutron::MeteringLabel",
  schema: {
    description:
      "A label under which Neutron counts traffic through routers. Its metering rules say which addresses count.",
    support: { since: "2014.1" },
    properties: {
      name: { type: "string", description: "The name of this metering label." },
      description: { type: "string", description: "A description of this metering label." },
      shared: {
        type: "boolean",
        description: "Whether this metering label counts the traffic of all projects' routers.",
        default: false,
        support: { since: "2015.1" },
      },
    },
    attributes: {
      name: { description: "The name of this metering label.", type: "string" },
      description: { description: "A description of this metering label.", type: "string" },
      shared: {
        description: "Whether this metering label counts the traffic of all projects' routers.",
        type: "string",
      },
    },
  },
};
