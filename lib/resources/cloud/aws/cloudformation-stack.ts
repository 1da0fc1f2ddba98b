import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const awsCloudformationStack: DeclaredType = {
  type: "AWS::CloudFormation::Stack",
  schema: {
    description: "A nested stack: made, changed and deleted with this one.",
    templateName: "NestedStack",
    properties: {
      TemplateURL: {
        type: "string",
        description: "The URL of the nested stack's template.",
        required: true,
        updateAllowed: true,
      },
      TimeoutInMinutes: {
        type: "integer",
        description: "The timeout for creating the nested stack, in minutes.",
        updateAllowed: true,
      },
      Parameters: {
        type: "map",
        description: "Values of the nested stack's parameters.",
        updateAllowed: true,
      },
    },
    attributes: {},
  },
};
