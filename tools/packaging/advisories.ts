/**
 * Asks the registry for advisories on the packages of the lockfile. A high or critical one fails
 * the command. If the registry does not answer, the command prints that and does not fail.
 */
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import * as z from "zod";
import { ROOT } from "./bundle.ts";

const ASK_MS_MAX = 120_000;
const REPORT_BYTES_MAX = 64 * 1024 * 1024;
const SERIOUS = ["high", "critical"];

const reportSchema = z.object({
  auditReportVersion: z.literal(2),
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string() })),
});

export interface Verdict {
  readonly failed: boolean;
  readonly lines: readonly string[];
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

export const verdictOn = (text: string): Verdict => {
  const given = parsed(text);
  const report = reportSchema.safeParse(given);
  if (!report.success) {
    const { message } = z.object({ message: z.string() }).safeParse(given).data ?? {};
    const why = message ?? "npm has printed no report";
    return { failed: false, lines: [`not run: the registry told no advisories (${why})`] };
  }
  const found = Object.entries(report.data.vulnerabilities);
  const serious = found.filter(([, { severity }]) => SERIOUS.includes(severity));
  return {
    failed: serious.length > 0,
    lines: [
      ...found.map(([name, { severity, range }]) => `${severity}: ${name} ${range}`),
      `${found.length} packages have advisories, ${serious.length} of them high or critical`,
    ],
  };
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const options = { cwd: ROOT, encoding: "utf8", maxBuffer: REPORT_BYTES_MAX } as const;
  const { stdout } = spawnSync("npm", ["audit", "--json"], { ...options, timeout: ASK_MS_MAX });
  const { failed, lines } = verdictOn(stdout);
  process.stdout.write(`${lines.join("\n")}\n`);
  process.exitCode = failed ? 1 : 0;
}
