import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const awsEc2Subnet: DeclaredType = {
  type: "AWS::EC2::Subnet",
  schema: {
    description: "A subnet: a range of IP addresses in a VPC.",
    properties: {
      AvailabilityZone: { type: "string", description: "The availability zone of the subnet." },
      CidrBlock: {
        type: "string",
        description: "The range of IP addresses of the subnet, in CIDR notation.",
        required: true,
      },
      VpcId: { type: "string", description: "The ID of the VPC.", required: true },
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
      AvailabilityZone: {
        description: "The availability zone that the template gives the subnet.",
        type: "string",
      },
    },
  },
};
