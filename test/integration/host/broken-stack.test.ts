import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { startHost } from "#host/host.ts";
import { aesCipher } from "#lib/adapters/node/cipher.ts";
import { readKeys } from "#lib/adapters/sqlite/folder/keys.ts";
import { DATABASE_FILE, openSqlite } from "#lib/adapters/sqlite/open-sqlite.ts";
import { present } from "#lib/errors.ts";
import { sealedPlace } from "#lib/stack/stored-places.ts";
import { at, send, waitForStack } from "./host-client.ts";

const template = (wait_secs: number) => ({
  heat_template_version: "2016-10-14",
  resources: { thing: { type: "OS::Heat::TestResource", properties: { wait_secs } } },
});

it.each([false, true])(
  "a host starts beside an unreadable stack, and completes the others: in step mode %s",
  async (step) => {
    const data = mkdtempSync(join(tmpdir(), "hearth-"));
    try {
      const first = await startHost({ port: 0, data });
      const create = (url: string, stack_name: string, wait_secs: number) =>
        send(url, "POST", "/v1/demo/stacks", { stack_name, template: template(wait_secs) });
      await create(first.url, "broken", 3_600);
      const rows = "/v1/demo/stacks/broken/resources";
      await expect
        .poll(async () =>
          at((await send(first.url, "GET", rows)).body, "resources", 0, "resource_status"),
        )
        .toBe("CREATE_IN_PROGRESS");
      await first.stop();
      const database = new DatabaseSync(join(data, DATABASE_FILE));
      database.exec("UPDATE graphs SET body = '{'");
      database.close();

      const second = await startHost({ port: 0, data, step });
      await create(second.url, "sound", 0);
      if (step) await send(second.url, "POST", "/_dev/step", { count: 20 });
      expect(await waitForStack(second.url, "sound")).toBe("CREATE_COMPLETE");
      await second.stop();
    } finally {
      rmSync(data, { recursive: true });
    }
  },
);

/** Stores a pattern that 0.1.0 accepted, when patterns were those of JavaScript. */
const refuseStored = async (data: string): Promise<void> => {
  const adapter = openSqlite(data, { now: () => Date.now() });
  const cipher = aesCipher(present(readKeys(data), "the keys").encryption);
  for (const stack of await adapter.store.listStacks("demo")) {
    const key = `template/${stack.id}/${stack.templateId}`;
    const place = sealedPlace({ tenant: "demo", stackId: stack.id }, "blobs", key);
    const text = await cipher.open(place, (await adapter.blobs.get(key)) ?? "");
    await adapter.blobs.delete(key);
    const refused = text.replace("[a-z]+", String.raw`\\p{L}+`);
    expect(refused).not.toBe(text);
    await adapter.blobs.put(key, await cipher.seal(place, refused));
  }
  adapter.close();
};

it("a host reads, deletes and puts right what a former version has stored", async () => {
  const data = mkdtempSync(join(tmpdir(), "hearth-"));
  const word = { type: "string", default: "abc", constraints: [{ allowed_pattern: "[a-z]+" }] };
  const good = { ...template(0), parameters: { word } };
  try {
    const first = await startHost({ port: 0, data });
    for (const stack_name of ["frozen", "mended"]) {
      await send(first.url, "POST", "/v1/demo/stacks", { stack_name, template: good });
      expect(await waitForStack(first.url, stack_name)).toBe("CREATE_COMPLETE");
    }
    await first.stop();
    await refuseStored(data);

    const second = await startHost({ port: 0, data });
    const shown = await send(second.url, "GET", "/v1/demo/stacks/frozen");
    const frozen = `frozen/${at(shown.body, "stack", "id")}`;
    for (const path of ["detail", `${frozen}/resources`, `${frozen}/diagnosis`, frozen]) {
      expect((await send(second.url, "GET", `/v1/demo/stacks/${path}`)).status).toBe(200);
    }
    const { body } = await send(second.url, "GET", "/v1/demo/stacks/frozen/template");
    expect(at(body, "parameters", "word", "constraints", 0)).toEqual({
      allowed_pattern: "\\p{L}+",
    });
    await send(second.url, "PUT", "/v1/demo/stacks/mended", { template: good });
    await send(second.url, "DELETE", `/v1/demo/stacks/${frozen}`);
    for (const [path, end] of [
      ["mended", "UPDATE_COMPLETE"],
      [frozen, "DELETE_COMPLETE"],
    ]) {
      const read = () => send(second.url, "GET", `/v1/demo/stacks/${path}`);
      await expect.poll(async () => at((await read()).body, "stack", "stack_status")).toBe(end);
    }
    await second.stop();
  } finally {
    rmSync(data, { recursive: true });
  }
});
