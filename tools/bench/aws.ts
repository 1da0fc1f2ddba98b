/**
 * `npm run bench -- aws [--resources 100]` measures the life of a stack of `AWS::*` resources of 20
 * types. Cloud Control is a double without latency, whose first answer is the final one. The output
 * has calls and seconds, and the times of Terraform with as many `terraform_data` if it is
 * installed, and then what the engine's own requests would cost on AWS. `--no-terraform` and
 * `--no-dollars` leave these parts out.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import {
  type Double,
  environmentFor,
  startDouble,
} from "#test/cloud-control/cloud-control-double.ts";
import { ROLE } from "#test/cloud-control/provider-at.ts";
import { TYPES, templateOf } from "#test/cloud-control/thousand-resources.ts";
import { startHost } from "#test/crash/host-process.ts";
import { ownCost } from "./aws/own-dollars.ts";
import { type Measure, measureStack, type Operation } from "./measure.ts";
import { SHAPES } from "./shapes.ts";
import { measureTerraform, type TerraformTimes, terraformVersion } from "./terraform.ts";

const RESOURCES_MAX = 10_000;
const WARM_RESOURCES = 300;
const TEMPLATE_BYTES_MAX = 2 ** 26;
const SECOND_MS = 1_000;
/**
 * AWS seldom ends a request immediately, so the costs are also computed with a poll after this
 * time.
 */
const LOOK_SECONDS = 5;
const OPERATIONS: readonly Operation[] = ["create", "no-op update", "update of one", "delete"];
const COLUMN = 14;

const { values } = parseArgs({
  allowNegative: true,
  options: {
    resources: { type: "string", default: "1000" },
    terraform: { type: "boolean", default: true },
    dollars: { type: "boolean", default: true },
  },
});
const resources = z.coerce
  .number()
  .int()
  .min(TYPES.length)
  .max(RESOURCES_MAX)
  .multipleOf(TYPES.length)
  .parse(values.resources);

const print = (...cells: readonly (string | number)[]): void => {
  console.log(cells.map((cell) => String(cell).padStart(COLUMN)).join(""));
};

const callsSince = (before: ReadonlyMap<string, number>, { calls }: Double): string =>
  [...calls]
    .map(([action, count]) => [action, count - (before.get(action) ?? 0)] as const)
    .filter(([, count]) => count > 0)
    .map(([action, count]) => `${action} ${(count / resources).toFixed(3)}`)
    .join(", ");

const printMeasure = (
  { operation, ms, counts }: Measure,
  peer: TerraformTimes,
  calls: string,
): void => {
  const peerMs = peer[operation];
  print(
    operation,
    (ms / SECOND_MS).toFixed(2),
    ((counts["cpu_ms"] ?? 0) / resources).toFixed(2),
    peerMs === undefined ? "-" : (peerMs / SECOND_MS).toFixed(2),
    peerMs === undefined ? "-" : (peerMs / ms).toFixed(2),
    `  ${calls || "none"}`,
  );
};

const measureLife = async (peer: TerraformTimes): Promise<void> => {
  const { double, url: doubleUrl, stop } = await startDouble({ polls: 0 });
  const folder = mkdtempSync(join(tmpdir(), "hearth-bench-aws-"));
  const roles = join(folder, "roles.json");
  writeFileSync(roles, JSON.stringify({ projects: { demo: ROLE } }));
  const options = ["--aws", roles, "--template-bytes-max", String(TEMPLATE_BYTES_MAX)];
  const environment = { HEARTH_LOG: "silent", ...environmentFor(doubleUrl) };
  const host = startHost(folder, environment, options);
  try {
    const url = await host.ready();
    const life = (name: string, size: number) =>
      measureStack(url, name, (changed) => templateOf(size, changed === "last"), OPERATIONS);
    for await (const _ of life("warm", WARM_RESOURCES));
    let before = new Map(double.calls);
    for await (const measure of life("bench", resources)) {
      printMeasure(measure, peer, callsSince(before, double));
      before = new Map(double.calls);
    }
    if (double.objects.size > 0) throw new Error(`${double.objects.size} objects are left`);
  } finally {
    await host.stop();
    await stop();
    rmSync(folder, { recursive: true });
  }
};

const printDollars = async (): Promise<void> => {
  console.log("\nCalls and units a resource, dollars for 1,000. Cloud Control costs nothing\n");
  const kinds = [
    ["at once", { polls: 0 }],
    [`after ${LOOK_SECONDS} s`, { polls: 1, lookSeconds: LOOK_SECONDS }],
  ] as const;
  print("AWS is done", "life", "calls", "write units", "read units", "invocations", "dollars");
  for (const [name, double] of kinds) {
    for (const deletes of [false, true]) {
      const cost = await ownCost({ resources, double, deletes });
      const life = deletes ? "and delete" : "create";
      const { calls, writeUnits, readUnits, invocations, dollars } = cost;
      const each = [calls, writeUnits, readUnits, invocations].map((count) => count.toFixed(2));
      print(name, life, ...each, dollars.toFixed(4));
    }
  }
};

const version = values.terraform ? terraformVersion() : null;
console.log(`${resources} resources of ${TYPES.length} types`);
console.log(version === null ? "Without Terraform\n" : `Beside Terraform ${version}\n`);
const peer =
  version === null ? {} : await measureTerraform(SHAPES["independent"] ?? (() => []), resources);
print("operation", "seconds", "cpu ms each", "Terraform s", "times", "  calls each");
await measureLife(peer);
if (values.dollars) await printDollars();
