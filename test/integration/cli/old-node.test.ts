import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const COMMAND = fileURLToPath(new URL("../../../apps/hearth.js", import.meta.url));

/** Runs this Node with another version number. */
const onNode = (version: string) => {
  const pretend = `Object.defineProperty(process.versions, "node", { value: "${version}" })`;
  const words = ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`];
  return spawnSync(process.execPath, [...words, COMMAND, "--version"], { encoding: "utf8" });
};

describe("the installed command", () => {
  it.each(["18.20.8", "20.20.2", "22.12.0"])("says on Node %s which one it needs", (version) => {
    const { status, stdout, stderr } = onNode(version);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toBe(
      `ERROR: Hearth needs Node 22.13 or later, and ${process.execPath} is ${version}. Install a newer Node, and put it first in PATH. Or let npm bring one for a command: npx --package node@24 -- hearth demo\n`,
    );
  });

  it.each(["22.13.0", "24.0.0", "100.1.0"])("runs on Node %s", (version) => {
    const { status, stdout } = onNode(version);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
