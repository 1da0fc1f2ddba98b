import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { installPackages } from "../../debian/packages.ts";
import { run } from "../../package/run.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-programs-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** A stand-in for Debian's apt-get that finds no package before its lists are fetched. */
const aptGet = (update: string): void => {
  const text = `#!/bin/sh
echo "$*" >> '${folder}/asked'
case "$*" in *" update") ${update};; *) test -e '${folder}/lists';; esac
`;
  writeFileSync(join(folder, "apt-get"), text, { mode: 0o755 });
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"] ?? ""}`);
};

describe("a package of Debian", () => {
  it("is installed on a system that never fetched the lists", async () => {
    aptGet(`touch '${folder}/lists'`);
    expect(await installPackages("iproute2")).toBe(true);
  });

  it("is not to be had where the lists cannot be fetched", async () => {
    aptGet("exit 100");
    expect(await installPackages("iproute2")).toBe(false);
  });

  it("is not to be had on a system without apt-get", async () => {
    vi.stubEnv("PATH", folder);
    expect(await installPackages("iproute2")).toBe(false);
  });
});

describe("a program of a lane", () => {
  it("ends at its limit, though its child holds the output open", async () => {
    const { code } = await run("sh", ["-c", "sleep 600 & wait"], { cwd: folder, msMax: 100 });
    expect(code).toBeNull();
  });
});
