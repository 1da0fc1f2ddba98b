/** OpenSSH's client is a separate program, so each test replaces it with a script. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Refused, readHostKey, runOverSsh } from "#providers/ssh/client.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";

const HOST_KEY =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGlvvPc2SCvTzFFUaCUUqY6SJDnP6yGEBQmM1w2cZ1hx machine";
const CUT_OFF_MS = 10_000;

let folder: string;
beforeEach(() => {
  folder = freshFolder();
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  removeFolder(folder);
});

const runWith = async (program: string) => {
  writeFileSync(join(folder, "ssh"), `#!/bin/sh\n${program}\n`);
  chmodSync(join(folder, "ssh"), 0o755);
  const hostKey = readHostKey(HOST_KEY);
  if (hostKey === null) throw new Error("the host key is none");
  const target = { address: "web-1", port: 22, user: "root", hostKey, keyFile: "/dev/null" };
  return runOverSsh(target, "", AbortSignal.timeout(CUT_OFF_MS));
};

describe("a machine over SSH", () => {
  it.each(["", " >&2"])("that prints without end is refused, and fills no memory%s", async (to) => {
    await expect(runWith(`yes${to}`)).rejects.toMatchObject<Partial<Refused>>({
      name: "Refused",
      message: "the machine prints more than 1048576 bytes",
    });
  });

  it.each([
    ["ssh: connect to host web-1 port 22: Connection refused", false],
    ["ssh: Could not resolve hostname web-1: Name or service not known", false],
    ["client_loop: send disconnect: Broken pipe", true],
    ["Connection to web-1 closed by remote host.", true],
  ])("that does not answer may have got the script or not: %s", async (text, mayHaveRun) => {
    await expect(runWith(`echo "${text}" >&2; exit 255`)).rejects.toMatchObject({
      name: "Unreachable",
      mayHaveRun,
    });
  });

  it("may say what a script says", async () => {
    const ran = await runWith("echo said; echo logged >&2; exit 3");
    expect(ran).toEqual({ code: 3, stdout: "said\n", stderr: "logged\n" });
  });
});
