import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const awsEc2NetworkInterface: DeclaredType = {
  type: "AWS::EC2::NetworkInterface",
  schema: {
    description: "A network interface for a server, as a port of a subnet.",
    properties: {
      Description: { type: "string", description: "The description of the network interface." },
      GroupSet: {
        type: "list",
        description: "The IDs of the security groups of the network interface.",
        updateAllowed: true,
      },
      PrivateIpAddress: { type: "string" },
      SourceDestCheck: {
        type: "boolean",
        description: "Whether traffic from or to other addresses is dropped. Not supported.",
        unimplemented: true,
      },
      SubnetId: {
        type: "string",
        description: "The ID of the subnet that the network interface is in.",
        required: true,
        constraints: [{ custom: "neutron.subnet" }],
      },
      Tags: {
        type: "list",
        items: {
          type: "map",
          description: "A tag, as a key and a value. It has no effect.",
          unimplemented: true,
          schema: {
            Key: { type: "string", required: true },
            Value: { type: "string", required: true },
          },
        },
      },
    },
    attributes: {
      PrivateIpAddress: { description: "The interface's private IP address.", type: "string" },
    },
  },
};
