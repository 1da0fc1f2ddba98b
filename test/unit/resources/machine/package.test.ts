import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { agentScript } from "#lib/resources/machine/agent-script.ts";
import { packageScript } from "#lib/resources/machine/package.ts";
import { freshFolder, removeFolder } from "../../../contract/folders.ts";
import { PACKAGE_PROGRAMS, writePrograms } from "../../../ssh/machine-programs.ts";

let folder: string;
beforeEach(() => {
  folder = freshFolder();
  mkdirSync(join(folder, "bin"));
  writePrograms(join(folder, "bin"), PACKAGE_PROGRAMS);
});
afterEach(() => removeFolder(folder));

const states = () => join(folder, "states");
const found = () => readFileSync(states(), "utf8").trim().split("\n");

const run = (action: string): string => {
  const script = packageScript({ name: "own", version: null });
  const holder = { id: "one", stackId: "stack-1", stackName: "site", resourceName: "own" };
  const path = [join(folder, "bin"), process.env["PATH"]].join(delimiter);
  const { status, stderr } = spawnSync("sh", ["-s"], {
    input: agentScript(script, holder, join(folder, "records")),
    env: { PATH: path, MACHINE: folder, deploy_action: action },
    encoding: "utf8",
  });
  return `${status} ${stderr.trim()}`.trim();
};

it("removes what came with it, and nothing that another apt was just installing", () => {
  writeFileSync(states(), "installed base\ntriggers-pending manual\nunpacked server\n");
  expect(run("CREATE")).toBe("0");
  expect(found()).toEqual([
    "installed base",
    "installed manual",
    "installed server",
    "installed foreign",
    "installed own",
    "installed needed",
  ]);
  expect(run("DELETE")).toBe("0");
  expect(found()).toEqual([
    "installed base",
    "installed manual",
    "installed server",
    "installed foreign",
  ]);
});

it("leaves a package that was installed before, also one that waits for a trigger", () => {
  writeFileSync(states(), "installed base\ntriggers-awaited own\n");
  const before = found();
  expect(run("CREATE")).toBe("0");
  expect(run("CHECK")).toBe("0");
  expect(run("DELETE")).toBe("0");
  expect(found()).toEqual(before);
});

it("counts a package as new if only its settings are left of an earlier time", () => {
  writeFileSync(states(), "installed base\nconfig-files needed\n");
  expect(run("CREATE")).toBe("0");
  expect(run("DELETE")).toBe("0");
  expect(found()).toEqual(["installed base", "installed foreign"]);
});
