/** Makes each danger that `hearth doctor` must report while there is still time. */
import { readFileSync, rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { logger } from "#functions/logger.ts";
import { createToken } from "#host/credentials.ts";
import { hostForewarnings, startDailyWarnings } from "#host/forewarnings.ts";
import { type Host, type HostOptions, startHost } from "#host/host.ts";
import { openSqlite } from "#lib/adapters/sqlite/open-sqlite.ts";
import { makeBackup } from "../../../apps/cli/data-folder/folder-work.ts";
import { examine, thisMachine } from "../../../apps/cli/doctor/doctor.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { CA_FILE } from "../../tls/certificates.ts";
import { hearth } from "../cli/hearth-process.ts";
import { at, send, waitForStack } from "./host-client.ts";
import { MovedClock } from "./moved-clock.ts";
import { putCertificate } from "./reach/reach-world.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let folder: string;
let host: Host;
let clock = new MovedClock();
const start = async (options: Partial<HostOptions> = {}): Promise<void> => {
  host = await startHost({ port: 0, data: folder, clockSources: clock.sources, ...options });
};
beforeEach(() => {
  folder = freshFolder();
  clock = new MovedClock();
});
afterEach(async () => {
  await host.stop();
  removeFolder(folder);
});

const warnings = async (token?: string): Promise<readonly string[]> => {
  const patient = { endpoint: host.url, project: "demo", ...(token ? { token } : {}) };
  const now = () => Date.now() + clock.sleptMs;
  const findings = await examine(patient, { ...thisMachine, now, pause: async () => undefined });
  return findings
    .filter(({ verdict, check }) => verdict === "warning" && check !== "signed URLs")
    .map(({ check, found, advice }) => `${check}: ${found}. ${advice}.`);
};

describe("hearth doctor", () => {
  it("says nothing of a young folder", async () => {
    await start();
    expect(await warnings()).toEqual([]);
  });

  it("says the age of the last backup and of the signing key, and the commands that help", async () => {
    await start();
    clock.sleptMs = 8 * DAY_MS;
    expect(await warnings()).toEqual([
      `backup: no backup was made by "hearth backup" in 8 days. Run "hearth backup FILE --data ${folder}", best by a timer.`,
    ]);
    const file = `${folder}.backup`;
    expect(await hearth(host.url, "backup", file, "--data", folder)).toMatchObject({ code: 0 });
    rmSync(file);
    expect(await warnings()).toEqual([expect.stringMatching(/^backup: the last backup is 8 days/)]);
    makeBackup(folder, file, new Date(Date.now() + clock.sleptMs));
    rmSync(file);
    expect(await warnings()).toEqual([]);
    clock.sleptMs = 366 * DAY_MS;
    expect(await warnings()).toEqual([
      `signing key: the key that signs the agents' URLs is 366 days old. Run "hearth keys rotate --data ${folder}": URLs that were given out stay valid.`,
      expect.stringMatching(/^backup: /),
    ]);
  });

  it("says that its own token and others of the project end soon, and no other project's", async () => {
    const own = createToken(folder, "demo", 10 * DAY_MS);
    const short = createToken(folder, "demo", 12 * 60 * MINUTE_MS);
    createToken(folder, "demo", 90 * DAY_MS);
    createToken(folder, "demo", null);
    createToken(folder, "other", DAY_MS);
    await start({ auth: "tokens" });
    expect(await warnings(own.token)).toEqual([]);
    clock.sleptMs = 11 * 60 * MINUTE_MS;
    const ended = (made: typeof own) => new Date(made.expiresAt ?? 0).toISOString();
    const advice = 'Make another one: "hearth token create --project demo".';
    expect(await warnings(own.token)).toEqual([
      `tokens: API tokens of this project end soon: ${short.id} at ${ended(short)}. ${advice}`,
    ]);
    clock.sleptMs = 9 * DAY_MS;
    expect((await warnings(own.token)).filter((line) => line.startsWith("token"))).toEqual([
      `token: this token ends at ${ended(own)}. ${advice}`,
    ]);
  });

  it("says which agents are silent and which are refused, and no other project's", async () => {
    await start();
    const template = {
      heat_template_version: "2018-08-31",
      resources: {
        web: { type: "OS::Heat::DeployedServer", properties: { name: "web" } },
        new: { type: "OS::Heat::DeployedServer", properties: { name: "new" } },
      },
      outputs: { agent: { value: { get_attr: ["web", "os_collect_config"] } } },
    };
    for (const project of ["demo", "other"])
      await send(host.url, "POST", `/v1/${project}/stacks`, { stack_name: "app", template });
    await waitForStack(host.url, "app");
    const { body } = await send(host.url, "GET", "/v1/demo/stacks/app");
    const url = String(at(body, "stack", "outputs", 0, "output_value", "request", "metadata_url"));
    expect((await fetch(url)).status).toBe(200);
    clock.sleptMs = 29 * MINUTE_MS;
    expect(await warnings()).toEqual([]);
    clock.sleptMs = 31 * MINUTE_MS;
    expect(await warnings()).toEqual([
      'agents: the agents of these servers have not polled for half an hour or more: web. Start the machines or their agents ("systemctl status hearth-agent"). "hearth server list" has the times.',
    ]);
    expect((await fetch(url.replace(/sig=../, "sig=AA"))).status).toBe(403);
    expect(await warnings()).toEqual([
      'agents: the agents of these servers are refused at each poll: web. Run what "hearth server bootstrap STACK SERVER" prints on these machines. "hearth server list" has the times.',
    ]);
    expect((await fetch(url)).status).toBe(200);
    expect(await warnings()).toEqual([]);
  });

  it("says that a disk is nearly full, by its share and by what a backup needs", async () => {
    await start();
    const clock = { now: () => Date.now() };
    const database = openSqlite(folder, clock);
    const GIB = 1_073_741_824;
    const disk = (bytes: number, freeBytes: number) =>
      hostForewarnings({ folder, database, clock, diskOf: () => ({ bytes, freeBytes }) }).map(
        ({ part, found }) => `${part}: ${found}`,
      );
    try {
      expect(disk(100 * GIB, 5 * GIB)).toEqual([]);
      expect(disk(100 * GIB, 3 * GIB)).toEqual([
        `disk: the disk of ${folder} is 97 % full: 3072 MiB are free`,
      ]);
      expect(disk(2 * GIB, GIB / 8)).toEqual([
        expect.stringMatching(
          /^disk: the disk of .* is 93 % full: 128 MiB are free, and a backup or an upgrade may need 2\d\d MiB$/,
        ),
      ]);
    } finally {
      database.close();
    }
  });

  it("says that a certificate ends soon, and the host's log that it has ended", async () => {
    const tls = putCertificate(folder, "first");
    await start({ tls });
    const authority = readFileSync(CA_FILE, "utf8");
    const patient = { endpoint: host.url.replace("127.0.0.1", "localhost"), project: "demo" };
    const certificateAt = async (now: number) => {
      const machine = { ...thisMachine, authority, now: () => now };
      const { fetch: before } = globalThis;
      vi.stubGlobal("fetch", async () => new Response("{}", { status: 300 }));
      const findings = await examine(patient, machine);
      vi.stubGlobal("fetch", before);
      return findings.find(({ check }) => check === "certificate");
    };
    const found = await certificateAt(Date.now());
    expect(found).toMatchObject({
      verdict: "ok",
      found: expect.stringMatching(/^it is valid until 2/),
    });
    const until = Date.parse(/\d{4}-.*Z/.exec(found?.found ?? "")?.[0] ?? "");
    expect(until).toBeGreaterThan(Date.now() + 365 * DAY_MS);
    expect(await certificateAt(until - 4 * DAY_MS)).toMatchObject({
      verdict: "warning",
      found: expect.stringMatching(/^the certificate ends in 4 days, at 2/),
      advice: expect.stringMatching(/^Renew it: /),
    });
    const warned = vi.spyOn(logger, "warn").mockImplementation(() => undefined);
    for (const now of [until - 31 * DAY_MS, until + DAY_MS])
      startDailyWarnings({ foreseen: null, tls }, () => now).stop();
    expect(warned.mock.calls).toEqual([
      [
        expect.stringMatching(/^the certificate has expired at 2/),
        expect.objectContaining({ part: "certificate" }),
      ],
    ]);
    warned.mockRestore();
  });
});
