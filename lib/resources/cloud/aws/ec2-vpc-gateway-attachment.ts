import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const awsEc2VpcGatewayAttachment: DeclaredType = {
  type: "AWS::EC2::VPCGatewayAttachment",
  schema: {
    description: "Connects a VPC to the external network.",
    properties: {
      VpcId: { type: "string", description: "The ID of the VPC.", required: true },
      InternetGatewayId: { type: "string", description: "The ID of the internet gateway." },
      VpnGatewayId: {
        type: "string",
        description: "The ID of the VPN gateway. Not supported.",
        unimplemented: true,
      },
    },
    attributes: {},
  },
};
