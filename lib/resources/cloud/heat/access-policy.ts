import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const heatAccessPolicy: DeclaredType = {
  type: "OS::Heat::AccessPolicy",
  schema: {
    description: "A list of the resources whose details an AWS::IAM::User may read.",
    properties: {
      AllowedResources: {
        type: "list",
        description: "The names of the resources that DescribeStackResource shows to the user.",
        required: true,
      },
    },
    attributes: {},
  },
};
