import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bootstrapLine, USER_DATA_BYTES_MAX } from "#providers/boot/bootstrap-script.ts";
import { bootstrapScript, type Wanted } from "../../../../apps/cli/server/bootstrap-script.ts";

/** As long as the certificate of an RSA key of 4,096 bits. */
const AUTHORITY = `-----BEGIN CERTIFICATE-----\n${`${"A".repeat(64)}\n`.repeat(29)}-----END CERTIFICATE-----\n`;
const METADATA_URL = "http://127.0.0.1:9/v1/agent/metadata/s1?kid=a&exp=0&gen=1&sig=b";

/** As long as the URL of a host whose folder was restored. */
const LONG_URL = `https://hearth.example.com:8443/v1/agent/metadata/${"0".repeat(36)}?kid=k2026&exp=0&gen=1&sig=${"s".repeat(43)}&applied=${"0".repeat(12)}&life=2&life_kid=k2026&life_sig=${"s".repeat(43)}`;

const script = (more: Partial<Wanted> = {}): Promise<string> =>
  bootstrapScript({
    stack: "app",
    server: "web",
    metadataUrl: METADATA_URL,
    agent: "hearth",
    privileged: false,
    authority: null,
    ...more,
  });

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hearth-bootstrap-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const layOut = (text: string): void => {
  const env = { PATH: process.env["PATH"], DESTDIR: root };
  const { status, stderr } = spawnSync("sh", { input: text, env, encoding: "utf8" });
  expect({ status, stderr: stderr.replaceAll(/^(curl|wget).*\n/gm, "") }).toEqual({
    status: 0,
    stderr: "",
  });
};

const laidOut = (path: string): string => readFileSync(join(root, path), "utf8");

describe("server bootstrap", () => {
  it("writes a complete agent, its unit, and its URL for its own user only", async () => {
    layOut(await script());
    expect(laidOut("etc/hearth-agent.url")).toBe(`${METADATA_URL}\n`);
    expect(statSync(join(root, "etc/hearth-agent.url")).mode & 0o777).toBe(0o600);
    const unit = laidOut("etc/systemd/system/hearth-agent.service");
    for (const line of ["User=hearth-agent", "NoNewPrivileges=yes", "ProtectSystem=strict"]) {
      expect(unit.split("\n")).toContain(line);
    }
    expect(unit).not.toContain("sig=");
    const agent = join(root, "opt/hearth/hearth-agent.mjs");
    const { status, stderr } = spawnSync(process.execPath, [agent], { encoding: "utf8" });
    expect([status, stderr.split("\n")[0]]).toEqual([2, "--metadata-url and --root are needed"]);
  });

  /** PATH with every program of this machine, but for curl and wget one of them as a spy. */
  const pathWith = (client: string): string => {
    const folder = join(root, "programs");
    mkdirSync(folder);
    for (const name of readdirSync("/usr/bin")) {
      if (name !== "curl" && name !== "wget") symlinkSync(`/usr/bin/${name}`, join(folder, name));
    }
    const spy = `#!/bin/sh\necho "$@" >> '${root}/words'; cat >> '${root}/asked'\n`;
    writeFileSync(join(folder, client), spy, { mode: 0o755 });
    return folder;
  };

  it.each([
    ["an image tells of no boot", "curl", {}, []],
    ["a folder that is a machine does", "curl", { BOOTS: "yes" }, ["begun", "installed"]],
    ["a machine without curl does", "wget", { BOOTS: "yes" }, ["begun", "installed"]],
  ])("laid out as %s, whose URL is on no command line", async (_, client, more, told) => {
    const env = { PATH: pathWith(client), DESTDIR: root, ...more };
    expect(spawnSync("sh", { input: await script(), env, encoding: "utf8" }).status).toBe(0);
    const asked = existsSync(join(root, "asked")) ? laidOut("asked") : "";
    expect([...asked.matchAll(/&boot=(\w+)/g)].map(([, step]) => step)).toEqual(told);
    const words = existsSync(join(root, "words")) ? laidOut("words") : "";
    expect(words).not.toMatch(/boot=|sig=/);
  });

  it("lets scripts be root only on request", async () => {
    layOut(await script({ privileged: true }));
    const unit = laidOut("etc/systemd/system/hearth-agent.service").split("\n");
    expect(unit).toContain("User=root");
    expect(unit).not.toContain("NoNewPrivileges=yes");
  });

  it("configures stock agents, with our progress hooks before their own", async () => {
    layOut(await script({ agent: "stock" }));
    expect(laidOut("etc/os-collect-config.conf")).toContain(`metadata_url = ${METADATA_URL}\n`);
    expect(laidOut("opt/hearth/hooks/script")).toContain("deploy_status_aware");
    const dropIn = laidOut("etc/systemd/system/os-collect-config.service.d/hearth.conf");
    expect(dropIn).toContain("Environment=HEAT_CONFIG_HOOKS=/opt/hearth/hooks\n");
    expect(existsSync(join(root, "opt/hearth/hearth-agent.mjs"))).toBe(false);
  });

  it("lays out the authority before the first request, and each agent verifies with it", async () => {
    const curl = join(root, "curl");
    const told = `#!/bin/sh\n[ -s '${root}/etc/hearth-ca.pem' ] && echo "$@" >> '${root}/asked'\n`;
    writeFileSync(curl, told, { mode: 0o755 });
    const PATH = `${root}:${process.env["PATH"] ?? ""}`;
    const env = { PATH, DESTDIR: root, BOOTS: "yes" };
    const { status } = spawnSync("sh", { input: await script({ authority: AUTHORITY }), env });
    expect(status).toBe(0);
    expect(laidOut("etc/hearth-ca.pem")).toBe(AUTHORITY);
    expect(statSync(join(root, "etc/hearth-ca.pem")).mode & 0o777).toBe(0o644);
    const asked = laidOut("asked").trim().split("\n");
    expect(asked).toHaveLength(2);
    for (const words of asked) expect(words).toContain(`--cacert ${root}/etc/hearth-ca.pem`);
    const unit = laidOut("etc/systemd/system/hearth-agent.service").split("\n");
    expect(unit).toContain("Environment=NODE_EXTRA_CA_CERTS=/etc/hearth-ca.pem");
  });

  it("leaves stock agents the system's authorities besides", async () => {
    mkdirSync(join(root, "etc/ssl/certs"), { recursive: true });
    writeFileSync(join(root, "etc/ssl/certs/ca-certificates.crt"), "the system's\n");
    layOut(await script({ agent: "stock", authority: AUTHORITY }));
    expect(laidOut("etc/hearth-ca-bundle.pem")).toBe(`the system's\n${AUTHORITY}`);
    const dropIn = laidOut("etc/systemd/system/os-collect-config.service.d/hearth.conf");
    expect(dropIn).toContain("\nEnvironment=REQUESTS_CA_BUNDLE=/etc/hearth-ca-bundle.pem\n");
  });

  it("names no authority without one, so the machine's own ones count", async () => {
    for (const agent of ["hearth", "stock"] as const) layOut(await script({ agent }));
    const units = readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.(?:service|conf)$/.test(path))
      .map(laidOut);
    expect(units).toHaveLength(3);
    const text = `${await script()}${units}`;
    expect(text).not.toMatch(/NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|BEGIN CERTIFICATE|insecure/);
  });

  it("fits into user data, and into one line", async () => {
    const text = await script({ authority: AUTHORITY });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(USER_DATA_BYTES_MAX);
    expect(text.startsWith("#!/bin/sh\n")).toBe(true);
    const line = bootstrapLine(text);
    expect(line).toMatch(/^echo [A-Za-z0-9+/=]+ \| base64 -d \| gunzip \| sudo sh\n$/);
    const unpack = line.trim().replace(/ \| sudo sh$/, "");
    expect(spawnSync("sh", ["-c", unpack], { encoding: "utf8" }).stdout).toBe(text);
  });

  it("fits with the URL of a restored host and a long authority", async () => {
    const text = await script({ authority: AUTHORITY, metadataUrl: LONG_URL });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(USER_DATA_BYTES_MAX);
  });

  it.each(["hearth", "stock"] as const)(
    "installs nothing of the %s agent from a script that was cut off",
    async (agent) => {
      const text = await script({ agent });
      const env = { PATH: process.env["PATH"], DESTDIR: root };
      const input = text.slice(0, 0.8 * text.length);
      expect(spawnSync("sh", { input, env }).status).not.toBe(0);
      expect(readdirSync(root)).toEqual([]);
    },
  );

  it("never runs a name as a command", async () => {
    const text = await script({ server: "web\ntouch owned", stack: "a'b" });
    expect(text.split("\n")[1]).toContain("server web_touch_owned of the stack a_b");
  });
});
