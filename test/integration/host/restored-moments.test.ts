/**
 * A folder is backed up at each step of an update, and its host dies some steps later. The provider
 * remembers the calls of the lost time by their tokens. The operator goes on with another update.
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { FAKE_PROVIDER_FILE } from "#lib/adapters/sqlite/fake-provider.ts";
import { backupFolder } from "#lib/adapters/sqlite/folder/backup.ts";
import { restoreFolder } from "#lib/adapters/sqlite/folder/restore.ts";
import { at, send } from "./host-client.ts";

const MOMENTS_MS_MAX = 120_000;

let folder = "";
let host: Host | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-moments-"));
});
afterEach(async () => {
  await host?.stop();
  rmSync(folder, { recursive: true });
});

const template = (value: string) => ({
  heat_template_version: "2018-08-31",
  resources: {
    changed: { type: "OS::Heat::TestResource", properties: { value } },
    replaced: {
      type: "OS::Heat::TestResource",
      properties: {
        value: { get_attr: ["changed", "output"] },
        update_replace_value: value,
      },
    },
  },
  outputs: { last: { value: { get_attr: ["replaced", "output"] } } },
});

const open = async (data: string): Promise<string> => {
  host = await startHost({ port: 0, data: join(folder, data), step: true });
  return host.url;
};
const step = async (url: string, count: number): Promise<number> => {
  const { body } = await send(url, "POST", "/_dev/step", { count });
  return Number(at(body, "delivered"));
};
const drain = (url: string) => send(url, "POST", "/_dev/drain", {});
const update = (url: string, value: string) =>
  send(url, "PATCH", "/v1/demo/stacks/app", { template: template(value) });

const restoredAt = async (
  data: string,
  before: number,
  after: number | "all",
): Promise<string | null> => {
  const first = await open(data);
  await send(first, "POST", "/v1/demo/stacks", { stack_name: "app", template: template("1") });
  await drain(first);
  await update(first, "2");
  if ((await step(first, before)) < before) return null;
  const file = join(folder, `${data}.backup`);
  backupFolder({ folder: join(folder, data), file, version: "tested", takenAt: 1 });
  await (after === "all" ? drain(first) : step(first, after));
  await host?.stop();
  const restored = join(folder, `${data}-restored`);
  restoreFolder(file, restored, Date.now());
  copyFileSync(join(folder, data, FAKE_PROVIDER_FILE), join(restored, FAKE_PROVIDER_FILE));
  return open(`${data}-restored`);
};

const goOn = async (url: string, moment: string): Promise<void> => {
  await update(url, "3");
  await drain(url);
  const { body } = await send(url, "GET", "/v1/demo/stacks/app");
  expect(at(body, "stack", "stack_status"), moment).toBe("UPDATE_COMPLETE");
  expect(at(body, "stack", "outputs", 0, "output_value"), moment).toBe("3");
  const listed = at((await send(url, "GET", "/v1/demo/stacks/app/resources")).body, "resources");
  const ids = Array.isArray(listed) ? listed.map((row) => at(row, "physical_resource_id")) : [];
  const { body: all } = await send(url, "GET", "/_dev/resources");
  const objects = at(all, "resources");
  const values = (Array.isArray(objects) ? objects : [])
    .filter((object) => ids.includes(at(object, "physical_id")))
    .map((object) => at(object, "properties", "value"));
  expect(values, moment).toEqual(["3", "3"]);
  await send(url, "DELETE", "/v1/demo/stacks/app");
  await drain(url);
  const gone = await send(url, "GET", "/v1/demo/stacks/app");
  expect(gone.status, moment).toBe(404);
};

it(
  "brings the stack to the next update's values, whatever happened in the lost time",
  async () => {
    let moments = 0;
    for (let before = 0; ; before++) {
      let isOver = false;
      for (const after of [0, 1, 3, "all"] as const) {
        const moment = `backup after ${before} steps, death ${after} steps later`;
        const url = await restoredAt(`data-${before}-${after}`, before, after);
        isOver = url === null;
        if (url === null) break;
        await goOn(url, moment);
        await host?.stop();
        moments++;
      }
      if (isOver) break;
    }
    expect(moments).toBeGreaterThan(16);
  },
  MOMENTS_MS_MAX,
);
