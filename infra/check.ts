/**
 * `hearth aws check --stage NAME [--json]` reports before the first `cdk deploy` what the account
 * lacks. Exit codes: 0 nothing, 1 something is missing, 2 bad usage.
 */
import { parseArgs } from "node:util";
import { examineAccount } from "./check/examine.ts";
import { findingLine } from "./check/finding.ts";
import { stackNameOf } from "./stage-name.ts";

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
