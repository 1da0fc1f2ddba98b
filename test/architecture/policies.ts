import type { Template } from "aws-cdk-lib/assertions";
import * as z from "zod";

const statementShape = z.object({
  Action: z.union([z.string(), z.array(z.string())]),
  Effect: z.literal("Allow"),
  Resource: z.unknown(),
});
const policyShape = z.object({
  Properties: z.object({ PolicyDocument: z.object({ Statement: z.array(statementShape) }) }),
});

export const statementsOf = (template: Template) =>
  Object.entries(template.findResources("AWS::IAM::Policy")).flatMap(([id, policy]) =>
    policyShape
      .parse(policy)
      .Properties.PolicyDocument.Statement.map((statement) => ({ id, ...statement })),
  );

export const statementsOfFunction = (template: Template, name: string) =>
  statementsOf(template).filter(({ id }) => id.startsWith(`Engine${name}Role`));

export const functionPolicy = (template: Template, name: string): string =>
  JSON.stringify(statementsOfFunction(template, name));
