/** Deploys the real CDK app to an emulator with a user's commands: bootstrap, deploy, destroy. */
import { spawn } from "node:child_process";
import { createWriteStream, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { present } from "#lib/errors.ts";
import { endOf } from "./children.ts";
import { AWS_ROLES } from "./cloud-control.ts";
import type { EmulatorKind } from "./emulators.ts";
import { IAM_TENANTS } from "./iam-user.ts";
import { LIMITED_PROJECT, LIMITED_RATE, PROJECT } from "./lane.ts";
import { stackOf } from "./stage.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CDK = "node_modules/aws-cdk-local/bin/cdklocal";
const COMMAND_MS_MAX = 900_000;

const outputsSchema = z.object({
  Url: z.url(),
  ApiTokensTable: z.string(),
  BlobsBucket: z.string(),
  StateMachineArn: z.string(),
  SigningSecretArn: z.string(),
});
export type Outputs = z.infer<typeof outputsSchema>;

export interface Target {
  readonly endpoint: string;
  readonly certificate?: string;
  readonly folder: string;
  /** The clone that is deployed. Absent: this one. */
  readonly root?: string;
}

export interface Deployment extends Target {
  readonly stage: string;
  readonly kind: EmulatorKind;
  readonly revision: string;
  readonly plugIns: object;
  readonly cloudControlUrl: string;
}

export const emulatorVariables = (endpoint: string): Readonly<Record<string, string>> => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_ENDPOINT_URL_S3: endpoint,
  AWS_ACCESS_KEY_ID: "test",
  AWS_SECRET_ACCESS_KEY: "test",
  AWS_REGION: "us-east-1",
  AWS_DEFAULT_REGION: "us-east-1",
});

/** The CDK's command accepts no certificate. It connects to this machine only. */
const trustOf = (program: string, certificate: string): Readonly<Record<string, string>> =>
  program === CDK ? { NODE_TLS_REJECT_UNAUTHORIZED: "0" } : { NODE_EXTRA_CA_CERTS: certificate };

const command = async (
  { endpoint, folder, certificate, root = ROOT }: Target,
  program: string,
  args: readonly string[],
): Promise<string> => {
  const log = createWriteStream(join(folder, "commands.log"), { flags: "a" });
  log.write(`\n$ ${program} ${args.join(" ")}\n`);
  const child = spawn(process.execPath, [join(ROOT, program), ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      ...emulatorVariables(endpoint),
      ...(certificate === undefined ? {} : trustOf(program, certificate)),
      PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    },
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  child.stdout.pipe(log);
  child.stderr.pipe(log, { end: false });
  const code = await endOf(child, COMMAND_MS_MAX);
  if (code !== 0) throw new Error(`${program} ended with ${code}: see ${folder}/commands.log`);
  return printed.trim();
};

const appOf = ({ folder, stage }: Deployment): string => join(folder, `cdk.out-${stage}`);

const contextOf = (deployment: Deployment): readonly string[] => {
  const { stage, revision, endpoint, kind, plugIns, cloudControlUrl } = deployment;
  const { apiPath, agentPath, authorizer, rollout, lacks } = kind;
  const settings = {
    stage,
    revision,
    publicUrl: `${endpoint}${apiPath}`,
    agentUrl: agentPath === null ? "rest" : `${endpoint}${agentPath}`,
    removalPolicy: "destroy",
    emulator: "yes",
    rollout,
    authorizer,
    testTypes: "yes",
    plugIns: JSON.stringify(plugIns),
    awsRoles: JSON.stringify(AWS_ROLES),
    cloudControlUrl,
    tenantRates: JSON.stringify({ [LIMITED_PROJECT]: LIMITED_RATE }),
    ...(lacks.signatures === undefined ? { iamTenants: JSON.stringify(IAM_TENANTS) } : {}),
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
};

export const bootstrap = async (target: Target): Promise<void> => {
  // Without a folder of its own, two lanes at once would synthesize into the same one.
  const app = join(target.folder, "cdk.out-bootstrap");
  await command(target, CDK, ["bootstrap", "aws://000000000000/us-east-1", "-o", app]);
};

export const deploy = async (deployment: Deployment): Promise<Outputs> => {
  const { stage } = deployment;
  const outputs = outputsFile(deployment);
  await command(deployment, CDK, [
    "deploy",
    "--require-approval",
    "never",
    "--outputs-file",
    outputs,
    "-o",
    appOf(deployment),
    ...contextOf(deployment),
  ]);
  const stacks = z.record(z.string(), outputsSchema);
  const found = stacks.parse(JSON.parse(readFileSync(outputs, "utf8")))[stackOf(stage)];
  return present(found, `the outputs of ${stackOf(stage)}`);
};

export const destroy = async (deployment: Deployment): Promise<void> => {
  const app = ["--app", appOf(deployment)];
  await command(deployment, CDK, ["destroy", "--force", ...app]);
};

const outputsFile = ({ folder, stage }: Deployment): string =>
  join(folder, `outputs-${stage}.json`);

export const restore = async (
  step: "keys" | "data",
  from: Deployment,
  to: Deployment,
): Promise<void> => {
  const files = ["--from", outputsFile(from), "--to", outputsFile(to)];
  await command(to, "apps/cli/hearth.ts", ["aws", "restore", step, ...files]);
};

export const replay = (deployment: Deployment, args: readonly string[]): Promise<string> =>
  command(deployment, "apps/cli/hearth.ts", [
    "aws",
    "replay",
    "--from",
    outputsFile(deployment),
    ...args,
  ]);

export const keptText = (
  deployment: Deployment,
  { url, token }: { readonly url: string; readonly token: string },
): string => {
  const variables = Object.entries(emulatorVariables(deployment.endpoint));
  const environment = variables.map(([name, value]) => `${name}=${value}`).join(" ");
  const certificate = deployment.certificate;
  const trust = certificate === undefined ? "" : `NODE_EXTRA_CA_CERTS=${certificate} `;
  const cdk = certificate === undefined ? "" : "NODE_TLS_REJECT_UNAUTHORIZED=0 ";
  return [
    `${deployment.stage} stays at ${url}`,
    `  reach it: ${trust}npx hearth --endpoint ${url} --project ${PROJECT} --token ${token} doctor`,
    `  destroy it: ${environment} ${cdk}npx cdklocal destroy --force --app ${appOf(deployment)}`,
  ].join("\n");
};

export const makeToken = (
  deployment: Deployment,
  { ApiTokensTable }: Outputs,
  project: string,
): Promise<string> =>
  command(deployment, "apps/cli/hearth.ts", [
    "aws",
    "api-token",
    "--table",
    ApiTokensTable,
    "--project",
    project,
  ]);
