import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const awsEc2SubnetRouteTableAssociation: DeclaredType = {
  type: "AWS::EC2::SubnetRouteTableAssociation",
  schema: {
    description: "Connects a subnet to a route table.",
    properties: {
      RouteTableId: { type: "string", description: "The ID of the route table.", required: true },
      SubnetId: {
        type: "string",
        description: "The ID of the subnet.",
        required: true,
        constraints: [{ custom: "neutron.subnet" }],
      },
    },
    attributes: {},
  },
};
