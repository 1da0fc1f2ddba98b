/**
 * `npm run bench -- host [--sizes 100,500 --shapes chain,grid]` measures the embedded host over
 * HTTP with stacks of TestResources that do not wait. Each stack gets a new host from a build, a
 * new data folder, and a smaller stack as a warm-up. If Terraform is installed, it builds the same
 * shapes; `--no-terraform` leaves it out.
 *
 * `--program FILE` measures an existing build, `--warm N` sets the size of the warm-up,
 * `--durability relaxed` does not flush the disk. `--rounds N` repeats each stack N times on the
 * same host and prints the median of each operation.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import { DURABILITIES } from "#lib/adapters/sqlite/transactions.ts";
import { startHost } from "#test/crash/host-process.ts";
import { type Measure, measureStack } from "./measure.ts";
import { type Requires, SHAPES, templateOf } from "./shapes.ts";
import { measureTerraform, type TerraformTimes, terraformVersion } from "./terraform.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SIZE_MAX = 200_000;
const ROUNDS_MAX = 99;
/** Terraform's time is quadratic: larger stacks take minutes. */
const TERRAFORM_SIZE_MAX = 1_000;
const TEMPLATE_BYTES_MAX = 2 ** 26;

const Options = z.object({
  sizes: z.array(z.coerce.number().int().min(2).max(SIZE_MAX)),
  shapes: z.array(z.string().refine((name) => name in SHAPES, `one of ${Object.keys(SHAPES)}`)),
  rounds: z.coerce.number().int().min(1).max(ROUNDS_MAX),
  warm: z.coerce.number().int().min(2).max(SIZE_MAX),
  terraform: z.boolean(),
  program: z.string().optional(),
  durability: z.enum(DURABILITIES),
});

const { values } = parseArgs({
  allowNegative: true,
  options: {
    sizes: { type: "string", default: "100,500,1000" },
    shapes: { type: "string", default: Object.keys(SHAPES).join(",") },
    rounds: { type: "string", default: "1" },
    warm: { type: "string", default: "300" },
    terraform: { type: "boolean", default: true },
    program: { type: "string" },
    durability: { type: "string", default: "full" },
  },
});
const { sizes, shapes, rounds, warm, terraform, program, durability } = Options.parse({
  ...values,
  sizes: values.sizes.split(","),
  shapes: values.shapes.split(","),
});
const built = program ?? join(ROOT, "dist/hearth.js");

const COLUMNS = [
  "shape      ",
  "resources",
  "operation    ",
  "seconds",
  "ms/resource",
  "cpu ms/r.",
  "SQL/r.",
  "commits/r.",
  "messages",
  "MB max",
  "wait ms",
  "Terraform s",
  "times",
] as const;
const row = (cells: readonly (string | number)[]): string =>
  `| ${cells.map((cell, index) => String(cell).padStart(COLUMNS[index]?.length ?? 0)).join(" | ")} |`;

const median = <T>(values: readonly T[], msOf: (value: T) => number): T | undefined =>
  values.toSorted((one, other) => msOf(one) - msOf(other))[(values.length - 1) >> 1];

const print = (
  shape: string,
  size: number,
  measure: Measure,
  peers: readonly TerraformTimes[],
): void => {
  const { operation, ms, counts, rssBytesMax, waitMsMax } = measure;
  const each = (count: string, digits: number): string =>
    ((counts[count] ?? 0) / size).toFixed(digits);
  const peerMs = median(
    peers.flatMap((peer) => peer[operation] ?? []),
    (time) => time,
  );
  console.log(
    row([
      shape.padEnd(COLUMNS[0].length),
      size,
      operation.padEnd(COLUMNS[2].length),
      (ms / 1_000).toFixed(2),
      (ms / size).toFixed(2),
      each("cpu_ms", 2),
      each("sql_statements", 1),
      each("sql_transactions", 2),
      counts["messages"] ?? 0,
      Math.round(rssBytesMax / 1e6),
      Math.round(waitMsMax),
      peerMs === undefined ? "-" : (peerMs / 1_000).toFixed(2),
      peerMs === undefined ? "-" : (peerMs / ms).toFixed(1),
    ]),
  );
};

const printMiddles = (
  shape: string,
  size: number,
  measures: readonly Measure[],
  peers: readonly TerraformTimes[],
): void => {
  for (const same of Map.groupBy(measures, ({ operation }) => operation).values()) {
    const middle = median(same, ({ ms }) => ms);
    if (middle) print(shape, size, middle, peers);
  }
};

const bench = async (shape: string, requires: Requires, size: number): Promise<void> => {
  const numbers = Array.from({ length: rounds }, (_, index) => index + 1);
  const peers: TerraformTimes[] = [];
  if (version !== null && size <= TERRAFORM_SIZE_MAX)
    for (const _ of numbers) peers.push(await measureTerraform(requires, size));
  const folder = mkdtempSync(join(tmpdir(), "hearth-bench-"));
  const options = ["--template-bytes-max", String(TEMPLATE_BYTES_MAX), "--durability", durability];
  const host = startHost(folder, { HEARTH_LOG: "silent" }, options, [], built);
  try {
    const url = await host.ready();
    const measured = (name: string, resources: number) =>
      measureStack(url, name, (changed) => templateOf(requires, resources, changed));
    for await (const _ of measured("warm", warm));
    const measures: Measure[] = [];
    for (const number of numbers) {
      for await (const measure of measured(`bench-${number}`, size)) {
        measures.push(measure);
        if (rounds === 1) print(shape, size, measure, peers);
      }
    }
    if (rounds > 1) printMiddles(shape, size, measures, peers);
  } finally {
    await host.stop();
    rmSync(folder, { recursive: true });
  }
};

const version = terraform ? terraformVersion() : null;
// In a process of its own, because a child process starts with the peak memory of its parent.
if (program === undefined)
  execFileSync(process.execPath, [join(ROOT, "tools/packaging/build.ts")], { stdio: "ignore" });
console.log(version === null ? "Without Terraform" : `Beside Terraform ${version}`);
console.log(row(COLUMNS));
console.log(row(COLUMNS.map((name) => "-".repeat(name.length))));
for (const size of sizes) {
  for (const shape of shapes) {
    const requires = SHAPES[shape];
    if (requires) await bench(shape, requires, size);
  }
}
