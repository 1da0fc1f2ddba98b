import { spawn } from "node:child_process";
import { createWriteStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { endOf } from "./children.ts";
import type { Target } from "./deployment.ts";
import { pacedSeconds } from "./pace.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SUITE_MS_MAX = 480_000;
/** Only these suites reach AWS. The other adapters pass against any endpoint. */
const FILES = "test/contract/aws";
/** The emulator is slower than the suite's own, and busy. */
const TEST_MS_MAX = 60_000;

const reportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

export interface SuiteReport {
  readonly passed: number;
  readonly skipped: number;
  readonly failed: readonly string[];
}

const readReport = (file: string): SuiteReport => {
  const report = reportSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  const failed = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === "failed");
    if (tests.length > 0) return tests.map(({ fullName }) => fullName);
    return status === "failed" ? [`${name}: ${message}`] : [];
  });
  return { passed: report.numPassedTests, skipped: report.numPendingTests, failed };
};

export const runContractSuite = async (
  { endpoint, certificate, folder }: Target,
  files = FILES,
): Promise<SuiteReport> => {
  const file = join(folder, "contract.json");
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  // The pace can grow while the suite runs.
  const slowness = 2 * pacedSeconds(1);
  const limitMs = TEST_MS_MAX * slowness;
  const limits = [`--testTimeout=${limitMs}`, `--hookTimeout=${limitMs}`];
  const args = ["run", "--project", "contract", files, ...limits];
  const reporting = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const child = spawn(process.execPath, [vitest, ...args, ...reporting], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      AWS_ENDPOINT_URL: endpoint,
      HEARTH_TEST_PACE: String(slowness),
      ...(certificate === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificate }),
    },
  });
  const log = createWriteStream(join(folder, "contract.log"));
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  await endOf(child, SUITE_MS_MAX);
  log.end();
  return readReport(file);
};
