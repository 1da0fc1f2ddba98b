import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const awsEc2SecurityGroup: DeclaredType = {
  type: "AWS::EC2::SecurityGroup",
  schema: {
    description: "A set of rules for the traffic that may enter and leave servers.",
    properties: {
      GroupDescription: {
        type: "string",
        description: "The description of the security group.",
        required: true,
      },
      VpcId: {
        type: "string",
        description: "The ID of the VPC of the security group. It has no effect.",
      },
      SecurityGroupIngress: {
        type: "list",
        updateAllowed: true,
        items: {
          type: "map",
          description: "A rule for incoming traffic.",
          schema: {
            CidrIp: { type: "string" },
            FromPort: { type: "string" },
            ToPort: { type: "string" },
            IpProtocol: { type: "string" },
            SourceSecurityGroupId: { type: "string" },
            SourceSecurityGroupName: { type: "string" },
            SourceSecurityGroupOwnerId: { type: "string", unimplemented: true },
          },
        },
      },
      SecurityGroupEgress: {
        type: "list",
        updateAllowed: true,
        items: {
          type: "map",
          description: "A rule for outgoing traffic.",
          schema: {
            CidrIp: { type: "string" },
            FromPort: { type: "string" },
            ToPort: { type: "string" },
            IpProtocol: { type: "string" },
            SourceSecurityGroupId: { type: "string" },
            SourceSecurityGroupName: { type: "string" },
            SourceSecurityGroupOwnerId: { type: "string", unimplemented: true },
          },
        },
      },
    },
    attributes: {},
  },
};
