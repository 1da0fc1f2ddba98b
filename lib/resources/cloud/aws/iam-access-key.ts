import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const awsIamAccessKey: DeclaredType = {
  type: "AWS::IAM::AccessKey",
  schema: {
    description: "A key pair with which a user signs requests.",
    properties: {
      Serial: {
        type: "integer",
        description: "A number that asks for a new key when it changes. Not supported.",
        unimplemented: true,
      },
      UserName: {
        type: "string",
        description: "The name of the user who gets the key.",
        required: true,
      },
      Status: {
        type: "string",
        description: "Whether the key can be used. Not supported.",
        unimplemented: true,
        constraints: [{ allowedValues: ["Active", "Inactive"] }],
      },
    },
    attributes: {
      UserName: { description: "The name of the user who has the key.", type: "string" },
      SecretAccessKey: { description: "The secret half of the key pair.", type: "string" },
    },
  },
};
