import { request } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createToken } from "#host/credentials.ts";
import { type Host, startHost } from "#host/host.ts";
import { makeBackup } from "../../../apps/cli/data-folder/folder-work.ts";
import manifest from "../../../package.json" with { type: "json" };
import { freshFolder, removeFolder } from "../../contract/folders.ts";

const PROJECT = "a-secret-customer";
const NAME = "secret-name";

let folder: string;
let host: Host;
let token: string;
beforeEach(async () => {
  folder = freshFolder();
  ({ token } = createToken(folder, PROJECT, 3_600_000));
  const metricsListen = { address: "127.0.0.1", port: 0 };
  host = await startHost({ port: 0, data: folder, auth: "tokens", metricsListen });
});
afterEach(async () => {
  await host.stop();
  removeFolder(folder);
});

const url = (path = "/metrics") => `${host.listening.metricsUrl}${path}`;
const read = async () => {
  const answer = await fetch(url());
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return answer.text();
};

/** In Prometheus' format each name has one HELP, one TYPE, and then its samples. */
const parsed = (text: string): ReadonlyMap<string, number> => {
  const samples = new Map<string, number>();
  const seen = new Set<string>();
  let [helped, typed, type] = ["", "", ""];
  for (const line of text.split("\n").filter((one) => one !== "")) {
    const help = /^# HELP ([a-z_]+) \S.*$/.exec(line);
    const kind = /^# TYPE ([a-z_]+) (gauge|counter)$/.exec(line);
    const sample = /^([a-z_]+)(\{[a-z_]+="[^"]*"(?:,[a-z_]+="[^"]*")*\})? (-?[0-9.e+-]+)$/.exec(
      line,
    );
    if (help) {
      expect(seen.has(String(help[1])), line).toBe(false);
      helped = String(help[1]);
      seen.add(helped);
    } else if (kind) {
      [typed, type] = [String(kind[1]), String(kind[2])];
      expect(typed).toBe(helped);
      expect(typed.endsWith("_total")).toBe(type === "counter");
    } else {
      expect(sample?.[1], line).toBe(typed);
      const key = `${sample?.[1]}${sample?.[2] ?? ""}`;
      expect(samples.has(key), line).toBe(false);
      samples.set(key, Number(sample?.[3]));
    }
  }
  return samples;
};

describe("the listener of metrics", () => {
  it("has the queues, counters, disk, keys, backups, tokens and agents, and no tenant's name", async () => {
    const headers = { "X-Auth-Token": token };
    const resources = { [NAME]: { type: "OS::Heat::DeployedServer" } };
    const template = { heat_template_version: "2018-08-31", resources };
    const stacks = `${host.url}/v1/${PROJECT}/stacks`;
    await fetch(stacks, {
      method: "POST",
      headers,
      body: JSON.stringify({ stack_name: NAME, template }),
    });
    await expect
      .poll(async () => (await fetch(`${stacks}/${NAME}`, { headers })).text())
      .toContain("CREATE_COMPLETE");
    expect((await fetch(stacks)).status).toBe(401);
    const text = await read();
    const samples = parsed(text);
    for (const secret of [PROJECT, NAME, token, folder]) expect(text).not.toContain(secret);
    const now = Date.now() / 1_000;
    expect(samples.get(`hearth_build_info{version="${manifest.version}"}`)).toBe(1);
    expect(text).toContain("waiting. 0 if no message is due.\n");
    expect(samples.get("hearth_ready")).toBe(1);
    expect(samples.get("hearth_storage_up")).toBe(1);
    expect(samples.get('hearth_http_requests_total{listener="api",code="401"}')).toBe(1);
    expect(samples.get('hearth_http_requests_total{listener="api",code="201"}')).toBe(1);
    expect(samples.get("hearth_traversals_total")).toBe(1);
    expect(samples.get("hearth_visits_total")).toBeGreaterThan(0);
    expect(samples.get("hearth_messages_total")).toBeGreaterThan(0);
    expect(samples.get("hearth_sync_point_writes_total")).toBeGreaterThanOrEqual(0);
    expect(samples.get("hearth_events_total")).toBeGreaterThan(0);
    expect(samples.has("hearth_certificate_expiry_timestamp_seconds")).toBe(false);
    expect(samples.get('hearth_queue_messages{queue="check",state="waiting"}')).toBe(0);
    expect(samples.get('hearth_queue_oldest_due_message_age_seconds{queue="check"}')).toBe(0);
    expect(samples.get("hearth_stacks_in_progress")).toBe(0);
    expect(samples.get('hearth_servers{contact="unseen"}')).toBe(1);
    expect(samples.get('hearth_servers{contact="polls"}')).toBe(0);
    expect(samples.get("hearth_tokens_ending")).toBe(0);
    expect(samples.get("hearth_signing_key_created_timestamp_seconds")).toBeCloseTo(now, -2);
    expect(samples.get("hearth_last_sweep_timestamp_seconds")).toBeCloseTo(now, -2);
    expect(samples.get("process_start_time_seconds")).toBeLessThan(now);
    for (const name of ["hearth_disk_size_bytes", "hearth_disk_free_bytes", "hearth_data_bytes"])
      expect(samples.get(name)).toBeGreaterThan(0);
    expect(samples.has("hearth_last_backup_timestamp_seconds")).toBe(false);
    makeBackup(folder, `${folder}/backup`, new Date());
    expect(parsed(await read()).get("hearth_last_backup_timestamp_seconds")).toBeCloseTo(now, -2);
  });

  it("answers nothing else, and nobody who came by a foreign name", async () => {
    for (const path of ["/", `/v1/${PROJECT}/stacks`, `/v1/${PROJECT}/_changes`, "/console/"])
      expect((await fetch(url(path), { headers: { "X-Auth-Token": token } })).status).toBe(404);
    expect((await fetch(url(), { method: "POST" })).status).toBe(405);
    expect(await (await fetch(url("/_ready"))).json()).toEqual({ ready: true });
    expect(
      (await fetch(`${host.url}/metrics`, { headers: { "X-Auth-Token": token } })).status,
    ).toBe(403);
    const foreign = await new Promise((resolve, reject) => {
      const asked = request(url(), { headers: { Host: "evil.example" } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.on("error", reject);
      asked.end();
    });
    expect(foreign).toBe(403);
  });
});
