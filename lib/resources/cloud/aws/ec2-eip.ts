import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const awsEc2Eip: DeclaredType = {
  type: "AWS::EC2::EIP",
  schema: {
    description: "A floating IP address, which can be given to a server.",
    templateName: "ElasticIp",
    properties: {
      Domain: {
        type: "string",
        description: "Whether the address is for a VPC. Every address is, so leave it out.",
        support: {
          status: "DEPRECATED",
          since: "9.0.0",
          message: "Now we only allow vpc here, so no need to set up this tag anymore.",
        },
        constraints: [{ allowedValues: ["vpc"] }],
      },
      InstanceId: {
        type: "string",
        description: "The ID of the server that gets the address.",
        updateAllowed: true,
        constraints: [{ custom: "nova.server" }],
      },
    },
    attributes: {
      AllocationId: { description: "The ID of the floating IP address.", type: "string" },
    },
  },
};
