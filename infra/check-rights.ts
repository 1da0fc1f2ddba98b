/**
 * Checks who deploys: the roles that `cdk bootstrap` has made, and what CloudFormation's role may
 * do. IAM simulates the role's policies, its boundary and service control policies, but neither
 * resource control policies nor the policies of other resources.
 */
import { IAMClient, SimulatePrincipalPolicyCommand } from "@aws-sdk/client-iam";
import { AssumeRoleCommand, STSClient } from "@aws-sdk/client-sts";

/** `missing` means that a deployment would fail. `unchecked` means that the caller may not ask. */
type Verdict = "ok" | "warn" | "missing" | "unchecked";

export interface Finding {
  readonly check: string;
  readonly verdict: Verdict;
  readonly found: string;
  readonly advice?: string;
}

const VERDICT_WIDTH = "unchecked".length;
const CHECK_WIDTH = "gateway logs".length;

export const findingLine = ({ check, verdict, found, advice }: Finding): string => {
  const start = `${verdict.padEnd(VERDICT_WIDTH)}  ${check.padEnd(CHECK_WIDTH)}  ${found}.`;
  return advice === undefined ? start : `${start} ${advice}.`;
};

/**
 * The first action that CloudFormation needs to create a resource of each type in the default
 * template.
 */
export const CREATING = {
  "AWS::ApiGateway::Account": "apigateway:PATCH",
  "AWS::ApiGateway::Authorizer": "apigateway:POST",
  "AWS::ApiGateway::Deployment": "apigateway:POST",
  "AWS::ApiGateway::GatewayResponse": "apigateway:PUT",
  "AWS::ApiGateway::Method": "apigateway:PUT",
  "AWS::ApiGateway::Resource": "apigateway:POST",
  "AWS::ApiGateway::RestApi": "apigateway:POST",
  "AWS::ApiGateway::Stage": "apigateway:POST",
  "AWS::Backup::BackupVault": "backup:CreateBackupVault",
  "AWS::CloudWatch::Alarm": "cloudwatch:PutMetricAlarm",
  "AWS::CloudWatch::Dashboard": "cloudwatch:PutDashboard",
  "AWS::CodeDeploy::Application": "codedeploy:CreateApplication",
  "AWS::CodeDeploy::DeploymentGroup": "codedeploy:CreateDeploymentGroup",
  "AWS::DynamoDB::Table": "dynamodb:CreateTable",
  "AWS::Events::Rule": "events:PutRule",
  "AWS::IAM::Policy": "iam:PutRolePolicy",
  "AWS::IAM::Role": "iam:CreateRole",
  "AWS::Lambda::Alias": "lambda:CreateAlias",
  "AWS::Lambda::EventSourceMapping": "lambda:CreateEventSourceMapping",
  "AWS::Lambda::Function": "lambda:CreateFunction",
  "AWS::Lambda::Permission": "lambda:AddPermission",
  "AWS::Lambda::Url": "lambda:CreateFunctionUrlConfig",
  "AWS::Lambda::Version": "lambda:PublishVersion",
  "AWS::Logs::LogGroup": "logs:CreateLogGroup",
  "AWS::Logs::MetricFilter": "logs:PutMetricFilter",
  "AWS::S3::Bucket": "s3:CreateBucket",
  "AWS::S3::BucketPolicy": "s3:PutBucketPolicy",
  "AWS::SQS::Queue": "sqs:CreateQueue",
  "AWS::SQS::QueuePolicy": "sqs:SetQueueAttributes",
  "AWS::SecretsManager::ResourcePolicy": "secretsmanager:PutResourcePolicy",
  "AWS::SecretsManager::RotationSchedule": "secretsmanager:RotateSecret",
  "AWS::SecretsManager::Secret": "secretsmanager:CreateSecret",
  "AWS::StepFunctions::StateMachine": "states:CreateStateMachine",
} as const;

const PUBLIC_URL: readonly string[] = [CREATING["AWS::Lambda::Url"], "lambda:AddPermission"];
const WITHOUT_SIGNATURE = {
  ContextKeyName: "lambda:FunctionUrlAuthType",
  ContextKeyType: "string",
  ContextKeyValues: ["NONE"],
} as const;
const SESSION_SECONDS = 900;

/** The role names of `cdk bootstrap`. */
const bootstrapRole = (kind: string, { account, partition, region }: Caller): string =>
  `arn:${partition}:iam::${account}:role/cdk-hnb659fds-${kind}-role-${account}-${region}`;

export interface Caller {
  readonly account: string;
  readonly partition: string;
  readonly region: string;
}

/** The roles are really assumed, because their trust policies and the organisation count too. */
export const askRoles = async (caller: Caller): Promise<Finding> => {
  const check = "roles";
  const sts = new STSClient({ region: caller.region });
  const refused: string[] = [];
  for (const kind of ["deploy", "file-publishing"]) {
    const RoleArn = bootstrapRole(kind, caller);
    const session = { RoleSessionName: "hearth-check", DurationSeconds: SESSION_SECONDS };
    try {
      await sts.send(new AssumeRoleCommand({ RoleArn, ...session }));
    } catch (error) {
      refused.push(`${RoleArn}: ${error instanceof Error ? error.name : String(error)}`);
    }
  }
  if (refused.length === 0) {
    return { check, verdict: "ok", found: "the caller may enter the roles of the bootstrap" };
  }
  const advice =
    "The CDK then uses the caller's own rights. Let the caller assume these roles, or make sure that it may deploy by itself";
  return { check, verdict: "warn", found: `not entered: ${refused.join("; ")}`, advice };
};

const deniedOf = async (
  caller: Caller,
  ActionNames: readonly string[],
  ContextEntries: readonly (typeof WITHOUT_SIGNATURE)[],
): Promise<readonly string[]> => {
  const answer = await new IAMClient({ region: caller.region }).send(
    new SimulatePrincipalPolicyCommand({
      PolicySourceArn: bootstrapRole("cfn-exec", caller),
      ActionNames: [...ActionNames],
      ContextEntries: ContextEntries.map((entry) => ({ ...entry, ContextKeyValues: ["NONE"] })),
    }),
  );
  return (answer.EvaluationResults ?? []).flatMap(({ EvalActionName: action, EvalDecision }) =>
    action === undefined || EvalDecision === "allowed" ? [] : [action],
  );
};

export const askRights = async (caller: Caller): Promise<Finding> => {
  const check = "rights";
  const actions = [...new Set(Object.values(CREATING))].filter(
    (action) => !PUBLIC_URL.includes(action),
  );
  const denied = await deniedOf(caller, actions, []);
  if (denied.length === 0) {
    return { check, verdict: "ok", found: `CloudFormation's role has the ${actions.length} asked` };
  }
  const advice =
    "Bootstrap with --cloudformation-execution-policies that allow them, or ask the organisation";
  const found = `CloudFormation's role may not ${denied.join(", ")}`;
  return { check, verdict: "missing", found, advice };
};

export const askPublicUrls = async (caller: Caller): Promise<Finding> => {
  const check = "public URLs";
  const denied = await deniedOf(caller, PUBLIC_URL, [WITHOUT_SIGNATURE]);
  if (denied.length === 0) return { check, verdict: "ok", found: "nothing known forbids them" };
  const found = `the account or its organisation refuses ${denied.join(", ")} without a signature`;
  const advice = "Deploy with agentUrl=rest from the first time on";
  return { check, verdict: "missing", found, advice };
};
