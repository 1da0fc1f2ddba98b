/**
 * Asks the account before a deployment: its quota of concurrent executions, the region, and whether
 * the stage exists. A template cannot ask this, and the CDK does not.
 */
import {
  CloudFormationClient,
  DescribeStacksCommand,
  type Stack,
} from "@aws-sdk/client-cloudformation";
import { GetAccountSettingsCommand, LambdaClient } from "@aws-sdk/client-lambda";

export interface Account {
  readonly region: string;
  readonly concurrentExecutions: number;
  readonly unreserved: number;
  readonly deployed: Readonly<Record<string, string>> | null;
}

/** A failed creation also leaves a stack. The CDK deletes such a stack before it deploys again. */
const SUCCEEDED = /^(CREATE_COMPLETE$|UPDATE_|IMPORT_)/;

export const describeStack = async (
  cloudFormation: CloudFormationClient,
  StackName: string,
): Promise<Stack | null> => {
  try {
    const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
    return Stacks[0] ?? null;
  } catch (error) {
    const isAbsent = error instanceof Error && / does not exist$/.test(error.message);
    if (isAbsent) return null;
    throw error;
  }
};

const outputsOf = (stack: Stack | null): Account["deployed"] => {
  if (stack === null || !SUCCEEDED.test(stack.StackStatus ?? "")) return null;
  return Object.fromEntries(
    (stack.Outputs ?? []).map(({ OutputKey = "", OutputValue = "" }) => [OutputKey, OutputValue]),
  );
};

export const askAccount = async (stackName: string, region: string): Promise<Account> => {
  const { AccountLimit } = await new LambdaClient({ region }).send(
    new GetAccountSettingsCommand({}),
  );
  const concurrentExecutions = AccountLimit?.ConcurrentExecutions;
  const unreserved = AccountLimit?.UnreservedConcurrentExecutions ?? concurrentExecutions;
  if (concurrentExecutions === undefined || unreserved === undefined)
    throw new Error("Lambda named no quota");
  const cloudFormation = new CloudFormationClient({ region });
  const deployed = outputsOf(await describeStack(cloudFormation, stackName));
  return { region, concurrentExecutions, unreserved, deployed };
};

/** Regions without `AWS::Lambda::Url` in CloudFormation, by cfn-lint's schemas. */
const WITHOUT_FUNCTION_URLS: ReadonlySet<string> = new Set([
  "ap-east-2",
  "ap-south-2",
  "ap-southeast-4",
  "ap-southeast-5",
  "ap-southeast-6",
  "ap-southeast-7",
  "ca-west-1",
  "cn-northwest-1",
  "eu-central-2",
  "eu-south-2",
  "il-central-1",
  "me-central-1",
  "mx-central-1",
  "us-gov-east-1",
  "us-gov-west-1",
]);

export const hasFunctionUrls = (region: string): boolean => !WITHOUT_FUNCTION_URLS.has(region);

/** Regions without `AWS::Budgets::Budget` in CloudFormation, by the same schemas. */
const WITHOUT_BUDGETS: ReadonlySet<string> = new Set([
  ...[...WITHOUT_FUNCTION_URLS].filter((region) => region !== "cn-northwest-1"),
  "af-south-1",
  "ap-east-1",
  "ap-northeast-3",
  "ap-southeast-3",
  "eu-north-1",
  "eu-south-1",
]);

export const hasBudgets = (region: string): boolean => !WITHOUT_BUDGETS.has(region);

export const stackNameOf = ({ stage }: { readonly stage: string }): string => `Hearth-${stage}`;
