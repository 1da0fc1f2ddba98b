/**
 * `npm run bench -- start [--runs 5]` measures the processor time of short commands as a median,
 * for the sources, the build and the single file. Nothing listens at the endpoint, so `stack list`
 * ends with its first request.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import { buildDist } from "../packaging/dist.ts";
import { buildSingle } from "../packaging/single.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TEMPLATE = join(ROOT, "examples/two-tier/two-tier.yaml");
const COMMANDS: readonly (readonly string[])[] = [
  ["--version"],
  ["--help"],
  ["stack", "--help"],
  ["--endpoint", "http://127.0.0.1:9", "stack", "list"],
  ["template", "graph", TEMPLATE],
];

const { values } = parseArgs({ options: { runs: { type: "string", default: "5" } } });
const runs = z.coerce.number().int().min(1).parse(values.runs);

const seconds = (text: string): number => {
  const [, minutes = "0", rest = "0"] = /^(\d+)m([\d.]+)s$/.exec(text) ?? [];
  return Number(minutes) * 60 + Number(rest);
};

/** The second line of the shell's `times` is about its child processes. */
const measure = (words: readonly string[]): number => {
  const script = '"$@" >/dev/null 2>&1; times';
  const text = execFileSync("sh", ["-c", script, "sh", ...words], { encoding: "utf8" });
  const [user = "", system = ""] = text.trim().split("\n")[1]?.split(" ") ?? [];
  return seconds(user) + seconds(system);
};

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

const folder = mkdtempSync(join(tmpdir(), "hearth-bench-start-"));
try {
  const single = join(folder, "hearth");
  await buildDist();
  await buildSingle(single);
  const programs = {
    sources: [process.execPath, join(ROOT, "apps/cli/hearth.ts")],
    build: [process.execPath, join(ROOT, "dist/hearth.js")],
    "single file": [single],
  };
  for (const [name, program] of Object.entries(programs)) {
    for (const words of COMMANDS) {
      const times = Array.from({ length: runs }, () => measure([...program, ...words]));
      const shown = words.map((word) => word.replace(`${ROOT}`, "")).join(" ");
      console.log(`${name}: ${median(times).toFixed(2)} s for hearth ${shown}`);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
