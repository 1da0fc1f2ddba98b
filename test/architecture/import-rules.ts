import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The path to the command is relative to the main module. Only the command reads a whole
 * configuration.
 */
const CRUISER = fileURLToPath(
  new URL("../../bin/dependency-cruiser.mjs", import.meta.resolve("dependency-cruiser")),
);
const RULES = join(ROOT, ".dependency-cruiser.cjs");
const REPORT_BYTES_MAX = 64 * 1024 * 1024;
/** The cruiser makes much garbage. With more room it collects that less often. */
const YOUNG_SPACE_MIB = 64;

export const SOURCE_FOLDERS = [
  "apps",
  "examples",
  "functions",
  "infra",
  "lib",
  "providers",
  "test",
  "tools",
] as const;

const Report = z.object({
  modules: z.array(z.object({ source: z.string() })),
  summary: z.object({
    violations: z.array(
      z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) }),
    ),
  }),
});

export interface Violation {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

export interface Cruise {
  readonly modules: readonly string[];
  readonly violations: readonly Violation[];
}

const isOurs = (source: string): boolean =>
  SOURCE_FOLDERS.some((folder) => source.startsWith(`${folder}/`));

/** With the JSON report the cruiser exits 0 despite violations. So only a failure to run throws. */
export const cruise = (root: string): Cruise => {
  const folders = SOURCE_FOLDERS.filter((folder) => existsSync(join(root, folder)));
  const report = execFileSync(
    process.execPath,
    [
      `--max-semi-space-size=${YOUNG_SPACE_MIB}`,
      CRUISER,
      "--config",
      RULES,
      "--output-type",
      "json",
      ...folders,
    ],
    { cwd: root, encoding: "utf8", maxBuffer: REPORT_BYTES_MAX },
  );
  const { modules, summary } = Report.parse(JSON.parse(report));
  return {
    modules: modules.map(({ source }) => source).filter(isOurs),
    violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  };
};
