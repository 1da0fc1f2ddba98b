/**
 * `hearth aws check --stage NAME [--json]` reports before the first `cdk deploy` what the account
 * lacks. Exit codes: 0 nothing, 1 something is missing, 2 bad usage.
 */
import { parseArgs } from "node:util";
import { APIGatewayClient, GetAccountCommand } from "@aws-sdk/client-api-gateway";
import { CloudFormationClient, type Stack } from "@aws-sdk/client-cloudformation";
import { GetAccountSettingsCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { describeStack, hasFunctionUrls, stackNameOf } from "./account.ts";
import { AGENTS, QUOTA_OF_NEW_ACCOUNT, reservable, USUAL_QUOTA } from "./capacity.ts";
import {
  askPublicUrls,
  askRights,
  askRoles,
  type Caller,
  type Finding,
  findingLine,
} from "./check-rights.ts";

const EXIT_MISSING = 1;
const EXIT_USAGE = 2;

const USAGE = "hearth aws check --stage NAME [--json]\n";

export const check = async (args: string[]): Promise<number> => {
  if (args.includes("--help")) {
    process.stdout.write(USAGE);
    return 0;
  }
  try {
    const options = {
      stage: { type: "string", default: "dev" },
      json: { type: "boolean", default: false },
    } as const;
    const { stage, json } = parseArgs({ args, options }).values;
    const findings = await examineAccount(stackNameOf({ stage }));
    console.log(json ? JSON.stringify(findings, null, 2) : findings.map(findingLine).join("\n"));
    return findings.some(({ verdict }) => verdict === "missing") ? EXIT_MISSING : 0;
  } catch (error) {
    process.stderr.write(`ERROR: ${error instanceof Error ? error.message : error}\n${USAGE}`);
    return EXIT_USAGE;
  }
};

const MORE = "Request 1,000 in Service Quotas (Lambda, L-B99A9384), and deploy again";
const BOOTSTRAP_MIN = 6;

type Ask = (caller: Caller) => Promise<Finding>;

const askRegion: Ask = async ({ region }) => {
  const check = "region";
  if (hasFunctionUrls(region))
    return { check, verdict: "ok", found: `${region}, with function URLs` };
  const advice = "Agents poll the API there, for 3.50 dollars a million";
  return { check, verdict: "warn", found: `${region} has no function URLs`, advice };
};

const askConcurrency: Ask = async ({ region }) => {
  const check = "concurrency";
  const { AccountLimit } = await new LambdaClient({ region }).send(
    new GetAccountSettingsCommand({}),
  );
  const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: free = quota } =
    AccountLimit ?? {};
  const found = `${quota} functions may run at once, and ${free} of them are unreserved`;
  if (quota < QUOTA_OF_NEW_ACCOUNT) return { check, verdict: "missing", found, advice: MORE };
  if (quota < USUAL_QUOTA) return { check, verdict: "warn", found, advice: MORE };
  if (reservable(free) >= AGENTS) return { check, verdict: "ok", found };
  const advice = "A new stage reserves none for agents, so that their polls share the rest";
  return { check, verdict: "warn", found, advice };
};

const outputOf = ({ Outputs = [] }: Stack, name: string): string | undefined =>
  Outputs.find(({ OutputKey }) => OutputKey === name)?.OutputValue;

const askBootstrap: Ask = async ({ account, region }) => {
  const check = "bootstrap";
  const stack = await describeStack(new CloudFormationClient({ region }), "CDKToolkit");
  const version = Number(stack === null ? 0 : outputOf(stack, "BootstrapVersion"));
  if (version >= BOOTSTRAP_MIN) return { check, verdict: "ok", found: `version ${version}` };
  const found =
    version === 0 ? "there is none" : `version ${version} is older than ${BOOTSTRAP_MIN}`;
  const advice = `Run npx cdk bootstrap aws://${account}/${region}`;
  return { check, verdict: "missing", found, advice };
};

const askGatewayLogs: Ask = async ({ region }) => {
  const check = "gateway logs";
  const { cloudwatchRoleArn } = await new APIGatewayClient({ region }).send(
    new GetAccountCommand({}),
  );
  if (cloudwatchRoleArn === undefined) {
    return { check, verdict: "ok", found: "the account has no role for them, and gets Hearth's" };
  }
  if (cloudwatchRoleArn.includes(":role/Hearth-")) {
    return { check, verdict: "ok", found: `the role is ${cloudwatchRoleArn}` };
  }
  const advice = "Other APIs go on logging by it. Note the former one, if you want it back later";
  const found = `Hearth's role takes the place of ${cloudwatchRoleArn}`;
  return { check, verdict: "warn", found, advice };
};

const FAILED_CREATION = /^(ROLLBACK_(COMPLETE|FAILED)|CREATE_FAILED)$/;

const askStage =
  (name: string): Ask =>
  async ({ region }) => {
    const check = "stage";
    const stack = await describeStack(new CloudFormationClient({ region }), name);
    if (stack === null) return { check, verdict: "ok", found: `${name} is new` };
    const status = stack.StackStatus ?? "";
    const found = `${name} is ${status}`;
    if (FAILED_CREATION.test(status) && stack.EnableTerminationProtection === true) {
      const advice = `The CDK cannot delete it. First run aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${name}`;
      return { check, verdict: "missing", found, advice };
    }
    if (status === "UPDATE_ROLLBACK_FAILED") {
      const advice = `Repair the cause, then run aws cloudformation continue-update-rollback --stack-name ${name}`;
      return { check, verdict: "missing", found, advice };
    }
    if (status.endsWith("_IN_PROGRESS") && status !== "REVIEW_IN_PROGRESS") {
      return { check, verdict: "warn", found, advice: "Wait until it is done" };
    }
    return { check, verdict: "ok", found };
  };

const reasonOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message.replace(/\.$/, "")}` : String(error);

const questions = (stackName: string): readonly (readonly [check: string, ask: Ask])[] => [
  ["region", askRegion],
  ["concurrency", askConcurrency],
  ["bootstrap", askBootstrap],
  ["roles", askRoles],
  ["rights", askRights],
  ["public URLs", askPublicUrls],
  ["gateway logs", askGatewayLogs],
  ["stage", askStage(stackName)],
];

const whoCalls = async (): Promise<{ readonly caller: Caller; readonly finding: Finding }> => {
  const sts = new STSClient({});
  const region = await sts.config.region();
  const { Account: account = "", Arn = "" } = await sts.send(new GetCallerIdentityCommand({}));
  const [, partition = "aws"] = Arn.split(":");
  const finding = { check: "credentials", verdict: "ok", found: Arn } as const;
  return { caller: { account, partition, region }, finding };
};

export const examineAccount = async (stackName: string): Promise<readonly Finding[]> => {
  const all = questions(stackName);
  try {
    const { caller, finding } = await whoCalls();
    const rest = all.map(async ([check, ask]): Promise<Finding> => {
      try {
        return await ask(caller);
      } catch (error) {
        return { check, verdict: "unchecked", found: reasonOf(error) };
      }
    });
    return [finding, ...(await Promise.all(rest))];
  } catch (error) {
    const advice = "Set the account's credentials and its region, as for the AWS CLI";
    const found = reasonOf(error);
    const unchecked = {
      verdict: "unchecked",
      found: "without credentials nothing answers",
    } as const;
    return [
      { check: "credentials", verdict: "missing", found, advice },
      ...all.map(([check]) => ({ check, ...unchecked })),
    ];
  }
};
