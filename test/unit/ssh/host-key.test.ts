import { describe, expect, it } from "vitest";
import { OperatorFileRefused } from "#providers/operator-file.ts";
import { readHostKey } from "#providers/ssh/client.ts";
import { keyFileOf, readIdentities } from "#providers/ssh/identities.ts";

const KEY = "AAAAC3NzaC1lZDI1NTE5AAAAIGlvvPc2SCvTzFFUaCUUqY6SJDnP6yGEBQmM1w2cZ1hx";

describe("readHostKey", () => {
  it("reads a line of OpenSSH, and leaves the comment out", () => {
    const read = readHostKey(` ssh-ed25519 ${KEY} root@web1\n`);
    expect(read?.line).toBe(`ssh-ed25519 ${KEY}`);
    expect(read?.algorithms).toBe("ssh-ed25519");
    expect(read?.fingerprint).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
  });

  it("knows that a key of RSA has signatures of other names", () => {
    const rsa = Buffer.from("\0\0\0\x07ssh-rsa and numbers").toString("base64");
    expect(readHostKey(`ssh-rsa ${rsa}`)?.algorithms).toBe("rsa-sha2-512,rsa-sha2-256");
  });

  it.each([
    ["nothing", ""],
    ["a key of another kind than it says", `ssh-rsa ${KEY}`],
    ["an unknown kind", `ssh-dss ${KEY}`],
    ["a name of every object", `constructor ${KEY}`],
  ])("refuses %s", (_name, text) => {
    expect(readHostKey(text)).toBeNull();
  });
});

const OPS = { key_file: "/etc/hearth/ops", projects: ["demo"] };

describe("readIdentities", () => {
  it("gives a key to the projects that the operator names", () => {
    const read = readIdentities({ identities: { ops: OPS } }, "keys.yaml");
    expect(keyFileOf(read, "demo", "ops")).toEqual({ keyFile: "/etc/hearth/ops" });
  });

  it.each([
    ["another project", "other", "ops"],
    ["an unknown identity", "demo", "root"],
  ])("says the same to %s", (_name, project, identity) => {
    const read = readIdentities({ identities: { ops: OPS } }, "keys.yaml");
    expect(keyFileOf(read, project, identity)).toEqual({
      why: `the file of --ssh gives the project ${project} no identity ${identity}`,
    });
  });

  it("names the place that is wrong", () => {
    const read = () => readIdentities({ identities: { ops: { key_file: "" } } }, "keys.yaml");
    expect(read).toThrow(OperatorFileRefused);
    expect(read).toThrow(/^keys\.yaml cannot be used: identities\.ops\./);
  });
});
