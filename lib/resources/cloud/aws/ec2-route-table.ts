import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const awsEc2RouteTable: DeclaredType = {
  type: "AWS::EC2::RouteTable",
  schema: {
    description: "A router that connects subnets of a VPC.",
    support: { since: "2014.1" },
    properties: {
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
    attributes: {},
  },
};
