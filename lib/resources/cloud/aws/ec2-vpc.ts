import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const awsEc2Vpc: DeclaredType = {
  type: "AWS::EC2::VPC",
  schema: {
    description: "A private network that holds subnets.",
    properties: {
      CidrBlock: {
        type: "string",
        description: "The range of IP addresses of the VPC, in CIDR notation.",
      },
      InstanceTenancy: {
        type: "string",
        description: "Whether servers in the VPC have their hosts to themselves. Not supported.",
        default: "default",
        unimplemented: true,
        constraints: [{ allowedValues: ["default", "dedicated"] }],
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
    attributes: {},
  },
};
