/**
 * Runs Terraform on the same shapes, if it is installed. The variable TERRAFORM names the program;
 * otherwise PATH is searched. The resources are `terraform_data`, which do nothing either.
 */
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Operation } from "./measure.ts";
import { type Changed, type Requires, resourceValue } from "./shapes.ts";

export type TerraformTimes = Readonly<Partial<Record<Operation, number>>>;

const PROGRAM = process.env["TERRAFORM"] ?? "terraform";
const RUN_MS_MAX = 1_800_000;
const run = promisify(execFile);

export const terraformVersion = (): string | null => {
  try {
    const text = execFileSync(PROGRAM, ["version", "-json"], { encoding: "utf8", stdio: "pipe" });
    return /"terraform_version":\s*"([^"]+)"/.exec(text)?.[1] ?? null;
  } catch {
    return null;
  }
};

const configuration = (requires: Requires, size: number, changed: Changed): string =>
  JSON.stringify({
    resource: {
      terraform_data: Object.fromEntries(
        Array.from({ length: size }, (_, index) => {
          const needed = requires(index, size).map((other) => `terraform_data.r${other}`);
          const dependsOn = needed.length > 0 ? { depends_on: needed } : {};
          const input = resourceValue(index, size, changed);
          return [`r${index}`, { input, ...dependsOn }];
        }),
      ),
    },
  });

/** Each time includes the plan, as for a user. */
export const measureTerraform = async (
  requires: Requires,
  size: number,
): Promise<TerraformTimes> => {
  const cwd = mkdtempSync(join(tmpdir(), "hearth-bench-terraform-"));
  const timed = async (...options: readonly string[]): Promise<number> => {
    const startedAt = performance.now();
    await run(PROGRAM, options, { cwd, timeout: RUN_MS_MAX, maxBuffer: 2 ** 28 });
    return performance.now() - startedAt;
  };
  try {
    const file = join(cwd, "main.tf.json");
    writeFileSync(file, configuration(requires, size, "none"));
    await timed("init", "-no-color");
    const apply = ["apply", "-auto-approve", "-no-color"];
    const create = await timed(...apply);
    const noop = await timed(...apply);
    writeFileSync(file, configuration(requires, size, "last"));
    return {
      create,
      "no-op update": noop,
      "update of one": await timed(...apply),
      delete: await timed("destroy", "-auto-approve", "-no-color"),
    };
  } finally {
    rmSync(cwd, { recursive: true });
  }
};
