import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const awsIamUser: DeclaredType = {
  type: "AWS::IAM::User",
  schema: {
    description: "A Keystone user with limited rights, for software on the servers of a stack.",
    properties: {
      Path: { type: "string", description: "The path of the user. It has no effect." },
      Groups: { type: "list", description: "The groups of the user. It has no effect." },
      LoginProfile: {
        type: "map",
        description: "The password of the user.",
        schema: {
          Password: { type: "string" },
        },
      },
      Policies: {
        type: "list",
        description: "The access policies that say what the user may read.",
      },
    },
    attributes: {},
  },
};
