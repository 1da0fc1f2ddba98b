/**
 * `npm run bench [-- --sizes 100,500 --shapes chain,grid]`: what the embedded default needs for stacks of
 * TestResources without waits, over HTTP as users have it, and what it did for them. A new host and a new
 * data folder for each stack.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { startHost } from "#test/crash/host-process.ts";
import { type Measure, measureStack } from "./measure.ts";
import { SHAPES, templateOf } from "./shapes.ts";

const SIZE_MAX = 1_000;

const Options = z.object({
  sizes: z.array(z.coerce.number().int().min(2).max(SIZE_MAX)),
  shapes: z.array(z.string().refine((name) => name in SHAPES, `one of ${Object.keys(SHAPES)}`)),
});

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "100,500" },
    shapes: { type: "string", default: Object.keys(SHAPES).join(",") },
  },
});
const { sizes, shapes } = Options.parse({
  sizes: values.sizes.split(","),
  shapes: values.shapes.split(","),
});

const COLUMNS = [
  "shape      ",
  "resources",
  "operation   ",
  "seconds",
  "ms/resource",
  "visits",
  "messages",
  "sync point writes",
] as const;
const row = (cells: readonly (string | number)[]): string =>
  `| ${cells.map((cell, index) => String(cell).padStart(COLUMNS[index]?.length ?? 0)).join(" | ")} |`;

const print = (shape: string, size: number, measure: Measure): void => {
  const { operation, ms, counters } = measure;
  const { visits = 0, messages = 0, sync_point_writes: writes = 0 } = counters;
  const times = [(ms / 1_000).toFixed(2), (ms / size).toFixed(1)];
  console.log(
    row([
      shape.padEnd(COLUMNS[0].length),
      size,
      operation.padEnd(COLUMNS[2].length),
      ...times,
      visits,
      messages,
      writes,
    ]),
  );
};

console.log(row(COLUMNS));
console.log(row(COLUMNS.map((name) => "-".repeat(name.length))));
for (const size of sizes) {
  for (const shape of shapes) {
    const requires = SHAPES[shape];
    if (!requires) continue;
    const folder = mkdtempSync(join(tmpdir(), "hearth-bench-"));
    const host = startHost(folder, { HEARTH_LOG: "off" });
    try {
      const measures = measureStack(await host.ready(), templateOf(requires, size));
      for await (const measure of measures) print(shape, size, measure);
    } finally {
      await host.stop();
      rmSync(folder, { recursive: true });
    }
  }
}
