/**
 * What others remember of a host, and what happens to it when the host changes: the table of
 * docs/outside.md. Each event happens to a host on a folder, after everything was handed out.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createToken, revokeToken } from "#host/credentials.ts";
import { type Host, startHost } from "#host/host.ts";
import { backupFolder } from "#lib/adapters/sqlite/folder/backup.ts";
import { restoreFolder } from "#lib/adapters/sqlite/folder/restore.ts";
import { rotateKeys } from "#lib/adapters/sqlite/folder/rotate-keys.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { OLDEST_WITH_TOKENS, takeBack } from "../../upgrade/former-schema.ts";
import { hearth } from "../cli/hearth-process.ts";
import { at } from "./host-client.ts";
import { MovedClock } from "./moved-clock.ts";

const SOON = { timeout: 20_000 };
const DAY_MS = 86_400_000;

const PLAN = {
  heat_template_version: "2021-04-16",
  resources: {
    server: { type: "OS::Heat::DeployedServer", properties: { name: "web" } },
    handle: {
      type: "OS::Heat::WaitConditionHandle",
      properties: { signal_transport: "CFN_SIGNAL" },
    },
    group: {
      type: "OS::Heat::AutoScalingGroup",
      properties: { min_size: 1, max_size: 9, resource: { type: "OS::Heat::RandomString" } },
    },
    up: {
      type: "OS::Heat::ScalingPolicy",
      properties: {
        auto_scaling_group_id: { get_resource: "group" },
        adjustment_type: "change_in_capacity",
        scaling_adjustment: 1,
      },
    },
  },
  outputs: {
    agent: { value: { get_attr: ["server", "os_collect_config", "request", "metadata_url"] } },
    handle: { value: { get_attr: ["handle", "signal"] } },
    alarm: { value: { get_attr: ["up", "alarm_url"] } },
  },
};
const SMALL = {
  heat_template_version: "2021-04-16",
  resources: { word: { type: "OS::Heat::RandomString" } },
  outputs: { word: { value: { get_attr: ["word", "value"] } } },
};

let folder = "";
let data = "";
let token = "";
let host: Host;
let clock = new MovedClock();
const start = async (): Promise<void> => {
  host = await startHost({ port: 0, data, auth: "tokens", clockSources: clock.sources });
};
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-outside-"));
  data = join(folder, "data");
  clock = new MovedClock();
  token = createToken(data, "demo", null).token;
  await start();
});
afterEach(async () => {
  await host.stop();
  rmSync(folder, { recursive: true });
});

interface Answered {
  readonly status: number;
  readonly body: Json;
}

const ask = async (
  method: string,
  path: string,
  body?: JsonObject,
  bearer = token,
): Promise<Answered> => {
  const response = await fetch(`${host.url}/v1/demo/stacks${path}`, {
    method,
    headers: { "X-Auth-Token": bearer, Accept: "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
};

const rests = async (name: string): Promise<void> => {
  const status = async () => at((await ask("GET", `/${name}`)).body, "stack", "stack_status");
  await expect.poll(status, SOON).toMatch(/_COMPLETE$/);
};

const make = async (name: string, template: JsonObject): Promise<void> => {
  expect((await ask("POST", "", { stack_name: name, template })).status).toBe(201);
  await rests(name);
};

const outputsOf = async (name: string): Promise<ReadonlyMap<string, Json>> => {
  const outputs = at((await ask("GET", `/${name}`)).body, "stack", "outputs");
  const list = Array.isArray(outputs) ? outputs : [];
  return new Map(
    list.map((one) => [String(at(one, "output_key")), at(one, "output_value") ?? null]),
  );
};

/** A URL with a former address is sent to this host. */
const statusOf = async (method: string, url: string): Promise<number> => {
  const body = method === "GET" ? {} : { body: "{}" };
  const led = url.replace(/^http:\/\/[^/]+/, host.url);
  return (await fetch(led, { method, ...body })).status;
};

const urlsOf = async () => {
  const outputs = await outputsOf("app");
  const signal: Json = JSON.parse(String(outputs.get("handle")));
  return {
    agent: String(outputs.get("agent")),
    handle: String(at(signal, "alarm_url")),
    alarm: String(outputs.get("alarm")),
  };
};

const pathOf = async (name: string): Promise<string> =>
  `/${name}/${at((await ask("GET", `/${name}`)).body, "stack", "id")}`;

const basisOf = async (): Promise<string> => {
  const path = `${await pathOf("app")}/preview`;
  return String(at((await ask("PUT", path, { template: PLAN })).body, "basis"));
};

const planned = async (basis: string): Promise<number> =>
  (await ask("PUT", `${await pathOf("app")}?basis=${basis}`, { template: PLAN })).status;

const reopen = async (between: () => void): Promise<void> => {
  await host.stop();
  between();
  await start();
};

const backUp = (takenAt = 1): void =>
  backupFolder({ folder: data, file: join(folder, "backup"), version: "tested", takenAt });

const restore = (): Promise<void> =>
  reopen(() => {
    restoreFolder(join(folder, "backup"), join(folder, "copy"), Date.now());
    data = join(folder, "copy");
  });

const rotateTwice = (): void => {
  for (const _ of [1, 2]) rotateKeys(data, { now: Date.now(), leaked: false });
};

const aYearPasses = (): Promise<void> =>
  reopen(() => {
    clock.sleptMs = 370 * DAY_MS;
  });

/** Another port stands for another address. */
const EVENTS: readonly (readonly [string, () => Promise<void>])[] = [
  ["two rotations of the keys", () => reopen(rotateTwice)],
  [
    "a restore of its backup",
    async () => {
      backUp();
      await restore();
    },
  ],
  ["a move to another address", () => reopen(() => undefined)],
  [
    "a leap of the clock by a month",
    async () => {
      clock.aheadMs = 31 * DAY_MS;
    },
  ],
  ["a year without a host", aYearPasses],
  ["an upgrade", () => reopen(() => takeBack(data, OLDEST_WITH_TOKENS))],
  [
    "a restore of a former version's backup",
    async () => {
      await host.stop();
      takeBack(data, OLDEST_WITH_TOKENS);
      backUp();
      await start();
      await restore();
    },
  ],
  [
    "a restore of a backup whose clock was a month ahead, under the right one",
    async () => {
      clock.aheadMs = 31 * DAY_MS;
      backUp(Date.now() + clock.aheadMs);
      clock.aheadMs = 0;
      await restore();
    },
  ],
];

describe.each(EVENTS)("after %s", (_event, happens) => {
  it("every URL that was handed out is answered, and the API token too", async () => {
    await make("app", PLAN);
    const { agent, handle, alarm } = await urlsOf();
    await happens();
    expect(await statusOf("GET", agent)).toBe(200);
    expect(await statusOf("PUT", handle)).toBe(200);
    expect(await statusOf("POST", alarm)).toBe(200);
    await rests("app");
    expect((await ask("GET", "")).status).toBe(200);
  });

  it("a plan that lies on a disk is made, and an exported stack is adopted", async () => {
    await make("app", PLAN);
    await make("small", SMALL);
    const word = (await outputsOf("small")).get("word");
    const { body: document } = await ask("DELETE", `${await pathOf("small")}/abandon`);
    const basis = await basisOf();
    await happens();
    expect(await planned(basis)).toBe(202);
    await rests("app");
    const adopted = { stack_name: "again", adopt_stack_data: JSON.stringify(document) };
    expect((await ask("POST", "", adopted)).status).toBe(201);
    await rests("again");
    expect((await outputsOf("again")).get("word")).toEqual(word);
  });
});

describe("what was handed out after the backup", () => {
  it("is a plan that the restored host refuses, and a token that it does not know", async () => {
    await make("app", PLAN);
    backUp();
    expect(await planned(await basisOf())).toBe(202);
    await rests("app");
    const basis = await basisOf();
    const later = createToken(data, "demo", null).token;
    expect((await ask("GET", "", undefined, later)).status).toBe(200);
    await restore();
    expect((await ask("GET", "", undefined, later)).status).toBe(401);
    expect(await planned(basis)).toBe(409);
    expect(await planned(await basisOf())).toBe(202);
    await rests("app");
    expect(await planned(basis)).toBe(409);
  });
});

describe("a stack that was exported after the backup", () => {
  it("is there again after the restore, and its document is refused under its name", async () => {
    await make("small", SMALL);
    backUp();
    const { body: document } = await ask("DELETE", `${await pathOf("small")}/abandon`);
    await expect.poll(async () => (await ask("GET", "/small")).status, SOON).toBe(404);
    await restore();
    await rests("small");
    const adopted = { stack_name: "small", adopt_stack_data: JSON.stringify(document) };
    expect((await ask("POST", "", adopted)).status).toBe(409);
  });
});

describe("what was ended after the backup", () => {
  it("is back with it, a token as well as a key, and the restore says what to do", async () => {
    await make("app", PLAN);
    const { agent } = await urlsOf();
    const leaked = createToken(data, "demo", null);
    backUp();
    revokeToken(data, leaked.id);
    await reopen(() => void rotateKeys(data, { now: Date.now(), leaked: true }));
    expect((await ask("GET", "", undefined, leaked.token)).status).toBe(401);
    expect(await statusOf("GET", agent)).toBe(403);
    await host.stop();
    data = join(folder, "copy");
    const restored = await hearth("", "restore", join(folder, "backup"), "--data", data);
    expect(restored.stdout).toContain("Revoke again what was revoked since");
    expect(restored.stdout).toContain(`"hearth keys rotate --leaked --data ${data}"`);
    await start();
    expect((await ask("GET", "", undefined, leaked.token)).status).toBe(200);
    expect(await statusOf("GET", agent)).toBe(200);
  });
});

describe("a token for a week", () => {
  it("ends after a year, and not by a leap of the clock", async () => {
    const week = createToken(data, "demo", 7 * DAY_MS).token;
    clock.aheadMs = 31 * DAY_MS;
    expect((await ask("GET", "", undefined, week)).status).toBe(200);
    clock.aheadMs = 0;
    await aYearPasses();
    expect((await ask("GET", "", undefined, week)).status).toBe(401);
  });
});
