/**
 * `npm run lane -- lint` checks the templates against AWS's schemas for every region with cfn-lint,
 * which it installs from the Python package index. Every synthesis checks AWS's list of good
 * practice with cdk-nag (infra/app.ts).
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { App } from "aws-cdk-lib";
import * as z from "zod";
import { hasBudgets, hasFunctionUrls } from "../../infra/account.ts";
import { fitToAccount } from "../../infra/fit-account.ts";
import { HearthStack } from "../../infra/hearth-stack.ts";
import { readSettings } from "../../infra/settings.ts";
import { pythonProgram } from "../lanes/python-program.ts";

const VERSION = "1.58.0";
const DATA = fileURLToPath(new URL("../../.data", import.meta.url));
const ARN = "arn:aws:iam::111122223333";
const FULL = {
  "aws:cdk:bundling-stacks": [],
  customerKey: "yes",
  backupPlan: 35,
  tracing: "yes",
  testTypes: "yes",
  alarmTopicArn: "arn:aws:sns:eu-west-1:111122223333:topic",
  visitPollers: 2,
  secretReplicaRegions: "eu-central-1",
  iamTenants: { [`${ARN}:role/deployer`]: "demo" },
};
/** The CDK also names dependencies that follow from a reference, which changes nothing. */
const REPEATED_DEPENDENCY = "W3005";

const ABSENT = /^Resource type '(.*)' does not exist in '(.*)'$/;

const findingsShape = z.array(
  z.object({ Rule: z.object({ Id: z.string() }), Message: z.string(), Location: z.unknown() }),
);

mkdirSync(DATA, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "hearth-lint-"));
const program = await pythonProgram(
  join(DATA, `cfn-lint-${VERSION}`),
  `cfn-lint==${VERSION}`,
  "cfn-lint",
);

const templateFor = (name: string, region: string): string => {
  const budget = hasBudgets(region) ? { dailyBudget: 20 } : {};
  const app = new App({ context: { ...FULL, ...budget, stage: name }, outdir: join(folder, name) });
  const account = { concurrentExecutions: 1_000, unreserved: 1_000, deployed: null };
  const stack = new HearthStack(app, fitToAccount(readSettings(app), { region, ...account }));
  app.synth();
  return join(folder, name, stack.templateFile);
};

/** cfn-lint exits with a code above zero if it finds anything. */
const lint = async (template: string, regions: readonly string[]) => {
  const ignored = ["--ignore-checks", REPEATED_DEPENDENCY, "--format", "json"];
  const args = ["--template", template, "--regions", ...regions, ...ignored];
  const options = { maxBuffer: 64 * 1_024 * 1_024 };
  const { stdout } = await promisify(execFile)(program, args, options).catch((error: unknown) =>
    z.object({ stdout: z.string().min(1) }).parse(error),
  );
  return findingsShape.parse(JSON.parse(stdout));
};

const withUrl = await lint(templateFor("with-url", "eu-west-1"), ["ALL_REGIONS"]);
const refusing = new Set<string>();
const others: string[] = [];
for (const { Rule, Message } of withUrl) {
  const [, type, region = ""] = ABSENT.exec(Message) ?? [];
  if (type === "AWS::Lambda::Url" && !hasFunctionUrls(region)) refusing.add(region);
  else if (type !== "AWS::Budgets::Budget" || hasBudgets(region)) {
    others.push(`${Rule.Id}: ${Message}`);
  }
}
const withoutUrl = await lint(templateFor("without-url", "eu-central-2"), [...refusing]);
others.push(...withoutUrl.map(({ Rule, Message }) => `${Rule.Id}: ${Message}`));
rmSync(folder, { recursive: true });
for (const text of others) console.log(`FAILED ${text}`);
const passed = others.length === 0 && refusing.size > 0 ? 2 : 0;
console.log(`${refusing.size} regions without function URLs`);
console.log(`${passed} passed, ${others.length} failed`);
process.exit(passed === 0 ? 1 : 0);
