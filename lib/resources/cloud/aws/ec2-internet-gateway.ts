import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const awsEc2InternetGateway: DeclaredType = {
  type: "AWS::EC2::InternetGateway",
  schema: {
    description:
      "A way from a VPC to the external network. AWS::EC2::VPCGatewayAttachment opens it.",
    properties: {
      Tags: {
        type: "list",
        items: {
          type: "map",
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
