/**
 * What the account says before a deployment: its quota of concurrent executions, the region, and
 * whether the stage exists. A template cannot ask this, and the CDK asks nothing.
 */
import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { GetAccountSettingsCommand, LambdaClient } from "@aws-sdk/client-lambda";

export interface Account {
  readonly region: string;
  /** Lambda's quota in this region. */
  readonly concurrentExecutions: number;
  /** The outputs of the stage's stack. Null: no deployment of it has succeeded yet. */
  readonly deployed: Readonly<Record<string, string>> | null;
}

/** A creation that failed leaves a stack too. The CDK deletes it before it deploys again. */
const SUCCEEDED = /^(CREATE_COMPLETE$|UPDATE_|IMPORT_)/;

const deployedStack = async (
  cloudFormation: CloudFormationClient,
  StackName: string,
): Promise<Account["deployed"]> => {
  try {
    const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
    const found = Stacks.find(({ StackStatus = "" }) => SUCCEEDED.test(StackStatus));
    if (found === undefined) return null;
    return Object.fromEntries(
      (found.Outputs ?? []).map(({ OutputKey = "", OutputValue = "" }) => [OutputKey, OutputValue]),
    );
  } catch (error) {
    const isAbsent = error instanceof Error && / does not exist$/.test(error.message);
    if (isAbsent) return null;
    throw error;
  }
};

export const askAccount = async (stackName: string, region: string): Promise<Account> => {
  const { AccountLimit } = await new LambdaClient({ region }).send(
    new GetAccountSettingsCommand({}),
  );
  const concurrentExecutions = AccountLimit?.ConcurrentExecutions;
  if (concurrentExecutions === undefined) throw new Error("Lambda named no quota");
  const cloudFormation = new CloudFormationClient({ region });
  return { region, concurrentExecutions, deployed: await deployedStack(cloudFormation, stackName) };
};
