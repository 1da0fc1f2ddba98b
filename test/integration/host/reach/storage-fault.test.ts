import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { CA_FILE } from "../../../tls/certificates.ts";
import { hearth } from "../../cli/hearth-process.ts";
import { ask, endWorld, openWorld } from "./reach-world.ts";

afterEach(endWorld);

const TEMPLATE = { heat_template_version: "2018-08-31" };
const CREATE = { stack_name: "one", template: TEMPLATE };
const PATIENT = { timeout: 20_000 };

describe("a host that demands tokens, without its storage", () => {
  it("says so in one word to everybody, and the doctor blames no token", async () => {
    const { host, folder, token } = await openWorld({ storageLookMs: 20 });
    const headers = { "X-Auth-Token": token };
    const list = async () => (await ask(`${host.url}/v1/demo/stacks`, headers)).status;
    const live = async (): Promise<unknown> => JSON.parse((await ask(`${host.url}/_health`)).body);
    expect(await live()).toEqual({ alive: true });
    const other = new DatabaseSync(join(folder, "hearth.db"));
    other.exec("BEGIN IMMEDIATE");
    const stack = { method: "POST", body: JSON.stringify(CREATE) };
    expect((await ask(`${host.url}/v1/demo/stacks`, headers, stack)).status).toBe(503);
    await expect.poll(list, PATIENT).toBe(503);
    expect(await live()).toEqual({ alive: true, storage: "out-of-service" });
    const { code, stdout, stderr } = await hearth(host.url, "--ca-file", CA_FILE, "doctor");
    expect([code, stderr]).toEqual([1, "ERROR: Something is wrong: storage.\n"]);
    expect(stdout).toMatch(/^wrong +storage +the host's storage is out of service/m);
    expect(stdout).toMatch(/^unchecked +authentication +the host's storage is out of service/m);
    other.exec("ROLLBACK");
    other.close();
    await expect.poll(list, PATIENT).toBe(200);
    await expect.poll(live, PATIENT).toEqual({ alive: true });
  });
});
