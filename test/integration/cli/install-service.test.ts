import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { STOP_SECONDS_DEFAULT } from "#host/stop-seconds.ts";
import { HEARTH } from "../../hearth-program.ts";
import { hearth } from "./hearth-process.ts";

const ANALYZE = "/usr/bin/systemd-analyze";
/** systemd's scale ends at 10. It calls up to 2.0 "OK" and above 5 "MEDIUM". */
const EXPOSURE_MAX = 1.5;

const folder = mkdtempSync(join(tmpdir(), "hearth-unit-"));
afterAll(() => rmSync(folder, { recursive: true }));

const unit = async (...options: readonly string[]): Promise<string> => {
  const { code, stdout } = await hearth(
    "http://127.0.0.1:9",
    "serve",
    "--install-service",
    ...options,
  );
  expect(code).toBe(0);
  return stdout;
};
const valuesOf = (text: string, key: string): readonly string[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith(`${key}=`))
    .map((line) => line.slice(key.length + 1));

describe("hearth serve --install-service", () => {
  it("starts this install as its own user, with the options that were given", async () => {
    const text = await unit("--port", "8123", "--retention-days", "7", "--tenant-rate=50");
    const program = `${realpathSync(process.execPath)} ${realpathSync(HEARTH)}`;
    expect(valuesOf(text, "ExecStart")).toEqual([
      `${program} serve --data /var/lib/hearth --port 8123 --retention-days 7 --tenant-rate 50`,
    ]);
    expect(valuesOf(text, "User")).toEqual(["hearth"]);
    expect(valuesOf(text, "StateDirectory")).toEqual(["hearth"]);
    expect(valuesOf(text, "Restart")).toEqual(["on-failure"]);
    expect(valuesOf(text, "CapabilityBoundingSet")).toEqual([""]);
    expect(valuesOf(text, "MemoryDenyWriteExecute")).toEqual([]);
    expect(text).toMatch(/^# {3}useradd --system .* hearth$/m);
  });

  it("gives the host more time for its end than it waits for its providers", async () => {
    const text = await unit();
    expect(valuesOf(text, "TimeoutStopSec")).toEqual([String(STOP_SECONDS_DEFAULT + 15)]);
    expect(valuesOf(text, "KillMode")).toEqual(["mixed"]);
    expect(valuesOf(await unit("--stop-seconds", "120"), "TimeoutStopSec")).toEqual(["135"]);
  });

  it("lets the host write to the folder that was named, whatever is in its name", async () => {
    const text = await unit("--data", join(folder, 'a b"c%d$e'));
    expect(valuesOf(text, "ReadWritePaths")).toEqual([`"${folder}/a b\\"c%%d$e"`]);
    expect(valuesOf(text, "ExecStart")[0]).toContain(`--data "${folder}/a b\\"c%%d$$e"`);
    expect(valuesOf(text, "StateDirectory")).toEqual([]);
  });

  it("leaves the URL of a plug-in as it is, and makes the path of its secrets absolute", async () => {
    const url = "https://files.example/a";
    const text = await unit("--plugin", url, "--plugin-secrets", "secrets.json");
    expect(valuesOf(text, "ExecStart")[0]).toMatch(
      /--plugin https:\/\/files\.example\/a --plugin-secrets \/\S+\/secrets\.json$/,
    );
  });

  it("gives the one right that a port below 1024 needs, and only then", async () => {
    const text = await unit("--port", "443");
    expect(valuesOf(text, "CapabilityBoundingSet")).toEqual(["CAP_NET_BIND_SERVICE"]);
    expect(valuesOf(text, "AmbientCapabilities")).toEqual(["CAP_NET_BIND_SERVICE"]);
    expect(valuesOf(text, "PrivateUsers")).toEqual([]);
  });

  it("makes a token before the first start of a host that demands one", async () => {
    const reach = ["--listen", "0.0.0.0", "--public-url", "https://a.example"];
    const tls = ["--tls-cert", "/etc/hearth/cert.pem", "--tls-key", "/etc/hearth/key.pem"];
    const text = await unit(...reach, ...tls);
    const folder = text.indexOf("install --directory --mode 0700 --owner hearth");
    const token = text.indexOf(
      "runuser --user hearth -- hearth token create --project NAME --data /var/lib/hearth\n",
    );
    expect(folder).toBeGreaterThan(0);
    expect(token).toBeGreaterThan(folder);
    expect(text.indexOf("systemctl enable")).toBeGreaterThan(token);
    expect(await unit()).not.toContain("hearth token");
  });

  it("warns of each file that the unit hides from the host", async () => {
    const tls = ["--tls-cert", "/etc/hearth/cert.pem", "--tls-key", "/var/tmp/key.pem"];
    const options = ["--install-service", ...tls, "--data", "/home/ada/hearth"];
    const { code, stderr } = await hearth("http://127.0.0.1:9", "serve", ...options);
    expect(code).toBe(0);
    expect(stderr).toContain("cannot see /var/tmp/key.pem.");
    expect(stderr).toContain("cannot see /home/ada/hearth.");
    expect(stderr).not.toContain("cert.pem");
  });

  it("refuses options that make no service, and bad ones, as serve does", async () => {
    for (const bad of [["--memory"], ["--step"], ["--port", "x"], ["--listen", "0.0.0.0"]]) {
      const { code, stdout } = await hearth(
        "http://127.0.0.1:9",
        "serve",
        "--install-service",
        ...bad,
      );
      expect({ code, stdout }, bad.join(" ")).toEqual({ code: 2, stdout: "" });
    }
  });

  it.skipIf(!existsSync(ANALYZE))("is what systemd accepts, and finds locked down", async () => {
    const file = join(folder, "hearth.service");
    writeFileSync(file, await unit());
    const verified = spawnSync(ANALYZE, ["verify", "--man=no", file], { encoding: "utf8" });
    const ours = verified.stderr.split("\n").filter((line) => line.includes("hearth"));
    expect(ours).toEqual([]);
    const security = ["security", "--offline=yes", "--no-pager", file];
    const { stdout } = spawnSync(ANALYZE, security, { encoding: "utf8" });
    const exposure = Number(/exposure level for hearth\.service: ([\d.]+)/.exec(stdout)?.[1]);
    expect(exposure).toBeGreaterThan(0);
    expect(exposure).toBeLessThanOrEqual(EXPOSURE_MAX);
  });
});
