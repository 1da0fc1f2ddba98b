/** The types and the tests of a reduced clone. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { endOf } from "../aws/children.ts";
import type { ReducedClone } from "./reduced-clone.ts";

const COMMAND_MS_MAX = 1_800_000;
/** The core has some 300. A file that many tests share may not take them out of it unseen. */
const TEST_FILES_MIN = 290;

const Report = z.object({
  success: z.boolean(),
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(z.object({ name: z.string() })),
});

/** Its output is the lane's. */
const run = async (root: string, program: string, ...args: readonly string[]): Promise<void> => {
  const child = spawn(process.execPath, [join("node_modules", program), ...args], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const code = await endOf(child, COMMAND_MS_MAX);
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
};

export const checkTypes = async ({ root, files }: ReducedClone): Promise<string> => {
  await run(root, "tsc/bin/tsc", "-p", ".", "--singleThreaded");
  return `${files.length} files have no wrong type`;
};

/** Every test of the core is played, or this fails: no file may be lost on the way. */
export const playTests = async ({ root, tests }: ReducedClone): Promise<string> => {
  if (tests.length < TEST_FILES_MIN)
    throw new Error(
      `${tests.length} files of tests are in the core, ${TEST_FILES_MIN} are expected`,
    );
  const file = join(root, "report.json");
  const reporting = ["--reporter=dot", "--reporter=json", `--outputFile.json=${file}`];
  await run(
    root,
    "vitest/vitest.mjs",
    "run",
    "--config",
    "test/core/vitest.config.ts",
    ...reporting,
  );
  const report = Report.parse(JSON.parse(readFileSync(file, "utf8")));
  const played = new Set(report.testResults.map(({ name }) => name));
  const lost = tests.filter((path) => !played.has(join(root, path)));
  if (lost.length > 0) throw new Error(`not played: ${lost.join(", ")}`);
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = report;
  if (!report.success || failed > 0) throw new Error(`${failed} tests failed`);
  return `${passed} tests of ${played.size} files passed, ${skipped} were skipped`;
};
