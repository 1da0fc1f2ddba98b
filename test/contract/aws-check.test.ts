import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { examineAccount } from "../../infra/check.ts";
import type { Finding } from "../../infra/check-rights.ts";
import { HEARTH } from "../hearth-program.ts";
import { listen } from "./aws-emulators.ts";

interface Account {
  readonly quota: number;
  readonly unreserved: number;
  readonly bootstrap: number | null;
  readonly roles: boolean;
  readonly denied: readonly string[];
  readonly mayAsk: boolean;
  readonly logRole: string | null;
  readonly stage: string | null;
  readonly isProtected: boolean;
}
const GOOD: Account = {
  quota: 1_000,
  unreserved: 1_000,
  bootstrap: 31,
  roles: true,
  denied: [],
  mayAsk: true,
  logRole: null,
  stage: null,
  isProtected: false,
};
let account = GOOD;
type Answer = string | null;

const stackXml = (status: string, outputs: string): Answer =>
  `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackStatus>${status}</StackStatus>
  <CreationTime>2026-01-01T00:00:00Z</CreationTime>
  <EnableTerminationProtection>${account.isProtected}</EnableTerminationProtection>
  <Outputs>${outputs}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

const ANSWERS: Readonly<Record<string, (form: URLSearchParams) => Answer>> = {
  GetCallerIdentity: () =>
    `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::111122223333:user/ops</Arn>
    <Account>111122223333</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`,
  AssumeRole: () =>
    account.roles ? "<AssumeRoleResponse><AssumeRoleResult/></AssumeRoleResponse>" : null,
  SimulatePrincipalPolicy: (form) => {
    if (!account.mayAsk) return null;
    const isUnsigned = form.get("ContextEntries.member.1.ContextKeyValues.member.1") === "NONE";
    const results = [...form]
      .filter(([name]) => name.startsWith("ActionNames."))
      .map(([, action]) => {
        const denied = account.denied.includes(action) && isUnsigned === /Url/.test(action);
        return `<member><EvalActionName>${action}</EvalActionName>
          <EvalDecision>${denied ? "explicitDeny" : "allowed"}</EvalDecision></member>`;
      });
    return `<SimulatePrincipalPolicyResponse><SimulatePrincipalPolicyResult><EvaluationResults>${results.join("")}
      </EvaluationResults></SimulatePrincipalPolicyResult></SimulatePrincipalPolicyResponse>`;
  },
  DescribeStacks: (form) => {
    const { bootstrap, stage } = account;
    if (form.get("StackName") !== "CDKToolkit") return stage === null ? null : stackXml(stage, "");
    const value = `<member><OutputKey>BootstrapVersion</OutputKey><OutputValue>${bootstrap}</OutputValue></member>`;
    return bootstrap === null ? null : stackXml("CREATE_COMPLETE", value);
  },
};

const answerTo = async (request: IncomingMessage): Promise<Answer> => {
  const { quota, unreserved, logRole } = account;
  if (request.url?.includes("account-settings")) {
    const AccountLimit = {
      ConcurrentExecutions: quota,
      UnreservedConcurrentExecutions: unreserved,
    };
    return JSON.stringify({ AccountLimit });
  }
  if (request.method === "GET") return JSON.stringify({ cloudwatchRoleArn: logRole ?? undefined });
  const form = new URLSearchParams(await text(request));
  return ANSWERS[form.get("Action") ?? ""]?.(form) ?? null;
};

const REFUSAL = `<ErrorResponse><Error><Code>AccessDenied</Code>
  <Message>Stack with id x does not exist</Message></Error></ErrorResponse>`;
const server = createServer((request, response) => {
  void answerTo(request).then((answer) => {
    response.writeHead(answer === null ? 400 : 200).end(answer ?? REFUSAL);
  });
});
let endpoint = "";
beforeAll(async () => {
  endpoint = await listen(server);
});
afterAll(() => void server.close());

const KEYS = { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" };

const check = async (args: readonly string[], keys: Readonly<Record<string, string>> = KEYS) => {
  const env = {
    ...keys,
    AWS_REGION: "eu-west-1",
    AWS_ENDPOINT_URL: endpoint,
    HOME: "/nonexistent",
  };
  const child = spawn(process.execPath, [HEARTH, "aws", "check", ...args], {
    env: { PATH: process.env["PATH"], AWS_EC2_METADATA_DISABLED: "true", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, "exit");
  return { code: child.exitCode, stdout, stderr };
};

const notable = (findings: readonly Finding[]): readonly string[] =>
  findings
    .filter(({ verdict }) => verdict !== "ok")
    .map(({ check: name, verdict }) => `${name} ${verdict}`);

const foundWith = async (changes: Partial<Account>, region = "eu-west-1") => {
  account = { ...GOOD, ...changes };
  const env = { ...KEYS, AWS_REGION: region, AWS_ENDPOINT_URL: endpoint };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return notable(await examineAccount("Hearth-prod"));
};
afterEach(() => void vi.unstubAllEnvs());

it("finds nothing in an account that has all", async () => {
  account = GOOD;
  const { code, stdout, stderr } = await check([]);
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.length).toBe(9);
  for (const line of lines) expect(line).toMatch(/^ok {9}\S.*\.$/);
  expect(lines.at(-1)).toMatch(/Hearth-dev is new\.$/);
});

const CASES: readonly (readonly [Partial<Account>, ...found: readonly string[]])[] = [
  [{ quota: 10, unreserved: 10 }, "concurrency warn"],
  [{ quota: 1_000, unreserved: 149 }, "concurrency warn"],
  [{ bootstrap: null }, "bootstrap missing"],
  [{ bootstrap: 5 }, "bootstrap missing"],
  [{ roles: false }, "roles warn"],
  [{ denied: ["dynamodb:CreateTable"] }, "rights missing"],
  [{ denied: ["lambda:CreateFunctionUrlConfig"] }, "public URLs missing"],
  [{ mayAsk: false }, "rights unchecked", "public URLs unchecked"],
  [{ logRole: "arn:aws:iam::111122223333:role/other" }, "gateway logs warn"],
  [{ logRole: "arn:aws:iam::111122223333:role/Hearth-prod-Api" }],
  [{ stage: "ROLLBACK_COMPLETE" }],
  [{ stage: "ROLLBACK_COMPLETE", isProtected: true }, "stage missing"],
  [{ stage: "UPDATE_ROLLBACK_FAILED", isProtected: true }, "stage missing"],
  [{ stage: "UPDATE_IN_PROGRESS", isProtected: true }, "stage warn"],
  [{ stage: "UPDATE_COMPLETE", isProtected: true }],
];

it("finds what an account lacks, and where agents poll the API", async () => {
  for (const [changes, ...found] of CASES)
    expect(await foundWith(changes), JSON.stringify(changes)).toEqual(found);
  expect(await foundWith({}, "eu-central-2")).toEqual(["region warn"]);
});

it("ends with 1 if something is missing, and gives programs JSON", async () => {
  account = { ...GOOD, bootstrap: null };
  const { code, stdout } = await check(["--stage", "prod", "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toContainEqual({
    check: "bootstrap",
    verdict: "missing",
    found: "there is none",
    advice: "Run npx cdk bootstrap aws://111122223333/eu-west-1",
  });
});

it("says without credentials what it needs, and 2 for a wrong option", async () => {
  const { code, stdout } = await check([], {});
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^missing {4}credentials .*AWS CLI\.\n/),
  ]);
  expect(await check(["--stag"])).toMatchObject({ code: 2, stdout: "" });
  expect(await check(["--help"])).toMatchObject({ code: 0, stderr: "" });
});
