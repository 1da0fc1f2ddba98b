import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const awsEc2EipAssociation: DeclaredType = {
  type: "AWS::EC2::EIPAssociation",
  schema: {
    description: "Gives a floating IP address to a server or a network interface.",
    templateName: "ElasticIpAssociation",
    properties: {
      InstanceId: {
        type: "string",
        description: "The ID of the server that gets the address.",
        updateAllowed: true,
        constraints: [{ custom: "nova.server" }],
      },
      EIP: {
        type: "string",
        description: "The floating IP address.",
        updateAllowed: true,
        constraints: [{ custom: "ip_addr" }],
      },
      AllocationId: {
        type: "string",
        description: "The ID of the floating IP address.",
        updateAllowed: true,
      },
      NetworkInterfaceId: {
        type: "string",
        description: "The ID of the network interface that gets the address.",
        updateAllowed: true,
      },
    },
    attributes: {},
  },
};
