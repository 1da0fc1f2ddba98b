import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { PROGRAMS } from "../../../tools/packaging/programs.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const LANE_MS_MAX = 60_000;

/** Each run with the text that it must print. Lanes that first install programs are left out. */
const RUNS: readonly (readonly [script: string, words: readonly string[], says: RegExp])[] = [
  ["cloud", ["--only", "zzz"], /"zzz".*names:\n {2}\S.*\n.*the contract suite\n/s],
  ["agents", ["--only", "zzz"], /"zzz".*names:\n {2}\S/],
  ["openstack", ["--only", "zzz"], /"zzz".*names:\n {2}page\n {2}kills\n.*OS::Neutron::Net\n/s],
  ["clients", ["--only", "zzz"], /"zzz".*names:\n {2}cli by none\n/],
  ["ec2", ["--only", "zzz"], /"zzz" is not one of the names:\n {2}host\n/],
  ["docker", ["--only", "zzz"], /--only is one of docker, podman/],
  ["providers", ["--only", "zzz"], /--only takes plug-ins, /],
  ["differential", ["--which", "zzz"], /--which is parameters, /],
  ["differential", ["--runs", "0"], /--runs is 1 to /],
  ["faults", ["--first", "1000000"], /--first is 1 to \d+, or nothing is played/],
  ["cloud-control", ["--resources", "0"], />=1/],
  ["robustness", ["--inputs", "0"], /--inputs is 1 or more/],
  ["robustness", ["--only", "zzz"], /expected number/],
  ["crash", ["--kills", "zzz"], /expected number/],
  ["previews", ["0"], />=1/],
  ["replay", ["1", "0"], />=1/],
  ["mutants", ["zzz"], /"zzz".*names:\n {2}\S/],
  ["prove", ["--only", "zzz", "--runs", "0"], /"zzz".*names:\n {2}\S/],
  [
    "prove",
    ["states", "runs", "groups", "deployments", "decades"].flatMap((part) => [`--${part}`, "0"]),
    /leave nothing to play/,
  ],
  ["power", ["--only", "zzz"], /"zzz" is not one of the names:\n {2}host\n/],
];

/** These are scripts of their own, and no lanes. */
const scripts: Readonly<Record<string, string>> = manifest.scripts;
const OWN = ["replay", "mutants", "prove", "test"];

const played = (script: string, words: readonly string[]) =>
  new Promise<{ readonly code: unknown; readonly text: string }>((resolve) => {
    const env = { ...process.env, HEARTH_HEAT_PYTHONPATH: "/nowhere" };
    const options = { cwd: ROOT, env, timeout: LANE_MS_MAX };
    const line = `${OWN.includes(script) ? scripts[script] : `${scripts["lane"]} ${script}`} "$@"`;
    execFile("sh", ["-c", line, "sh", ...words], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, text: `${stdout}\n${stderr}` }),
    );
  });

describe("a lane that would play nothing", () => {
  it.each(RUNS)("%s %j fails, and says what it plays", { timeout: LANE_MS_MAX }, async (...run) => {
    const [script, words, says] = run;
    const { code, text } = await played(script, words);
    expect(text).toMatch(says);
    expect(code).toBe(1);
  });

  it("is refused wherever words choose a part", () => {
    const lines = [...Object.values(scripts), ...Object.values(PROGRAMS["lane"] ?? {}).flat()];
    const programs = lines.flatMap((line) => /test\/\S+\.ts/.exec(line) ?? []);
    const choosing = [...new Set(programs)].filter((path) =>
      /only: \{ type: "string"/.test(readFileSync(join(ROOT, path), "utf8")),
    );
    expect(choosing.length).toBeGreaterThan(10);
    // The first two require whole words, `prove` leaves the name to its search, and an input of
    // `npm run lane -- robustness` is a number.
    const others = ["docker", "providers", "prove", "robustness"];
    const silent = choosing
      .filter((path) => !others.some((one) => path === `test/${one}/${one}.ts`))
      .filter((path) => !/lanes\/chosen\.ts"/.test(readFileSync(join(ROOT, path), "utf8")));
    expect(silent).toEqual([]);
  });

  it("is one of Vitest too, if no title has its words", { timeout: LANE_MS_MAX }, async () => {
    const words = ["--project", "unit", "test/unit/json.test.ts", "-t", "zzz"];
    const { code, text } = await played("test", words);
    expect(text).toContain("No test was played");
    expect(code).toBe(1);
  });
});
