/**
 * `npm run bench -- first [--runs 5]` runs `hearth demo` from the build and from the sources. It
 * prints the medians of time, processor time and peak memory.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROGRAMS = { build: "dist/hearth.js", sources: "apps/cli/hearth.ts" } as const;

const { values } = parseArgs({ options: { runs: { type: "string", default: "5" } } });
const runs = z.coerce.number().int().min(1).parse(values.runs);

const usageSchema = z.object({ wallMs: z.number(), cpuMs: z.number(), rssKilobytes: z.number() });
type Usage = z.infer<typeof usageSchema>;

/** Is preloaded, and writes the resource usage when the process ends. */
const meter = (file: string): string => `
import { writeFileSync } from "node:fs";
process.once("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cpuMs = (userCPUTime + systemCPUTime) / 1000;
  const usage = { wallMs: performance.now(), cpuMs, rssKilobytes: maxRSS };
  writeFileSync(${JSON.stringify(file)}, JSON.stringify(usage));
});`;

const folder = mkdtempSync(join(tmpdir(), "hearth-bench-first-"));
const [meterFile, usageFile] = [join(folder, "meter.mjs"), join(folder, "usage.json")];

const measure = (program: string): Usage => {
  const words = ["--import", pathToFileURL(meterFile).href, join(ROOT, program), "demo"];
  execFileSync(process.execPath, words, { stdio: ["ignore", "ignore", "inherit"] });
  return usageSchema.parse(JSON.parse(readFileSync(usageFile, "utf8")));
};

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

try {
  writeFileSync(meterFile, meter(usageFile));
  execFileSync(process.execPath, [join(ROOT, "tools/packaging/build.ts")], { stdio: "ignore" });
  for (const [name, program] of Object.entries(PROGRAMS)) {
    const usages = Array.from({ length: runs }, () => measure(program));
    const [wall, cpu, rss] = (["wallMs", "cpuMs", "rssKilobytes"] as const).map((key) =>
      Math.round(median(usages.map((usage) => usage[key]))),
    );
    console.log(`${name}: ${wall} ms, ${cpu} ms of processor time, ${rss} KiB of memory`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
