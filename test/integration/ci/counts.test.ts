import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const RUN = readFileSync(join(ROOT, ".ci/run"), "utf8");

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-counts-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const counts = (outputs: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(outputs)) writeFileSync(join(folder, name), text);
  return new Promise<{ readonly code: unknown; readonly stdout: string }>((resolve) => {
    const words = [folder, ...Object.keys(outputs)];
    execFile(join(ROOT, ".ci/counts"), words, (error, stdout) =>
      resolve({ code: error?.code ?? 0, stdout }),
    );
  });
};

const GREEN = {
  test: " Test Files  523 passed (523)\n      Tests  9331 passed | 2 skipped (9333)\n",
  random: "40,000 random runs of 3,000,000 steps; 0 failed\n",
  demo: "\n52 checks, all hold; 33.0 s\n",
  oracles: "not run: no oracles beside, in ../shared/oracles (HEARTH_ORACLES)\n",
  public: "271 cases: 270 equal, 1 known differences, 0 unexplained, 0 no longer so\n",
  docker: "docker: 31 passed, 0 failed\n",
  openstack: "openstack, double: 12 passed, 0 failed\n",
  crash: "9 passed, 0 failed; not run: a small disk needs root\n",
};

describe("the last lines of CI", () => {
  it("have the count of each step, or why it was not run", async () => {
    const { code, stdout } = await counts(GREEN);
    const lines = Object.entries(GREEN).map(
      ([name, text]) => `${name}: ${text.split("\n").findLast((line) => line !== "")}\n`,
    );
    expect(stdout).toBe(lines.join(""));
    expect(code).toBe(0);
  });

  it.each([
    ["aws", "0 passed, 0 failed, 0 skipped\n"],
    ["public", "0 cases: 0 equal, 0 known differences, 0 unexplained, 0 no longer so\n"],
    ["robust", "0 inputs: 0 accepted, 0 refused, 0 failed\n"],
    ["random", "0 random runs of 0 steps; 0 failed\n"],
    ["test", " Test Files  1 skipped (1)\n"],
    ["agents", ""],
  ])("fail the run if %s says %j", async (name, text) => {
    const { code, stdout } = await counts({ ...GREEN, [name]: text });
    expect(stdout).toContain(`${name}: nothing was played\n`);
    expect(code).toBe(1);
  });

  it("are those of all steps that play something", () => {
    const [, words = ""] = /\.ci\/counts "\$outputs" ([^"]*)$/.exec(RUN) ?? [];
    const counted = words.split(/[\s\\]+/).filter((word) => word !== "");
    const single = [...RUN.matchAll(/^step (\S+) /gm)].map(([, name = ""]) => name);
    const atOnce = [...RUN.matchAll(/^play ((?:.+\\\n)*.+)$/gm)].flatMap(
      ([, names = ""]) => names.match(/[a-z_0-9]+/g) ?? [],
    );
    const steps = [...single, ...atOnce].filter((name) => !NOT_COUNTED.includes(name));
    expect(counted.toSorted()).toEqual(steps.toSorted());
  });
});

/** These steps end with an error if something is wrong, and have nothing to count. */
const NOT_COUNTED = [
  "install",
  "check",
  "advisories",
  "site",
  "kit",
  "heat_for_python",
  "packages",
];
