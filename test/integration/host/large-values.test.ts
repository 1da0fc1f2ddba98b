import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { DATABASE_FILE } from "#lib/adapters/sqlite/open-sqlite.ts";
import { ROW_BYTES_MAX } from "#lib/adapters/sqlite/upkeep.ts";
import { present } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { VALUE_BYTES_MAX } from "#lib/template/functions/value-budget.ts";
import { at, newestEvent, send, waitForStack } from "./host-client.ts";

const SWEEP_MS = 200;

const folder = mkdtempSync(join(tmpdir(), "hearth-values-"));
let host: Host | null = null;
const start = async (): Promise<void> => {
  host = await startHost({ port: 0, data: folder, sweepMs: SWEEP_MS });
};
beforeAll(start);
afterAll(async () => {
  await host?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const url = (): string => present(host, "the host").url;
const value = (of: Json): JsonObject => ({ type: "OS::Heat::Value", properties: { value: of } });
const attribute = (name: string): Json => ({ get_attr: [name, "value"] });
const twice = (of: Json): Json => ({ list_join: ["", [of, of]] });
const template = (resources: JsonObject, outputs: JsonObject = {}) => ({
  template: { heat_template_version: "2016-10-14", resources, outputs },
});
const replaced = (text: Json): Json => ({
  str_replace: { template: "a".repeat(12_000), params: { a: text } },
});
const isTooLarge = (name: string): string =>
  `The result of "${name}" is too large: a value may have ${VALUE_BYTES_MAX} bytes.`;

const create = (name: string, body: JsonObject) =>
  send(url(), "POST", "/v1/demo/stacks", { stack_name: name, ...body });
const stack = async (name: string) =>
  at((await send(url(), "GET", `/v1/demo/stacks/${name}`)).body, "stack");
const isDeleted = async (name: string): Promise<void> => {
  expect((await send(url(), "DELETE", `/v1/demo/stacks/${name}`)).status).toBe(204);
  await expect
    .poll(async () => (await send(url(), "GET", `/v1/demo/stacks/${name}`)).status)
    .toBe(404);
};

describe("a value above the limit", () => {
  it("is refused with the request where the parameters alone make it", async () => {
    const { status, body } = await create(
      "known",
      template({ v: value(replaced("b".repeat(12_000))) }),
    );
    expect(status).toBe(400);
    expect(at(body, "error", "message")).toBe(
      `Property error: resources.v.properties.value: ${isTooLarge("str_replace")}`,
    );
    expect((await send(url(), "GET", "/v1/demo/stacks/known")).status).toBe(404);
  });

  it("fails its resource where other resources make it, and the stack can be deleted", async () => {
    const resources: Record<string, JsonObject> = { v0: value("b".repeat(1_000)) };
    for (let step = 1; step <= 24; step++) {
      resources[`v${step}`] = value(twice(attribute(`v${step - 1}`)));
    }
    expect((await create("doubled", template(resources))).status).toBe(201);
    expect(await waitForStack(url(), "doubled")).toBe("CREATE_FAILED");
    // 1,000 characters doubled ten times are the last value below the limit.
    const reason = `Property error: resources.v11.properties.value: ${isTooLarge("list_join")}`;
    expect(at(await stack("doubled"), "stack_status_reason")).toContain(reason);
    await isDeleted("doubled");
  });

  it("is refused where each update is given the output of the one before", async () => {
    const fed = (seed: string) => ({
      ...template({ v: value(twice({ get_param: "seed" })) }, { o: { value: attribute("v") } }),
      parameters: { seed },
    });
    const source = (seed: string): JsonObject => {
      const body = fed(seed);
      return { ...body, template: { ...body.template, parameters: { seed: { type: "string" } } } };
    };
    expect((await create("fed", source("b".repeat(200_000)))).status).toBe(201);
    expect(await waitForStack(url(), "fed")).toBe("CREATE_COMPLETE");
    const update = async () => {
      const seed = String(at(await stack("fed"), "outputs", 0, "output_value"));
      return send(url(), "PUT", "/v1/demo/stacks/fed", source(seed));
    };
    const before = await newestEvent(url(), "fed");
    expect((await update()).status).toBe(202);
    expect(await waitForStack(url(), "fed", before)).toBe("UPDATE_COMPLETE");
    const { status, body } = await update();
    expect(status).toBe(400);
    expect(at(body, "error", "message")).toContain(isTooLarge("list_join"));
    await isDeleted("fed");
  });

  it("fails the nested stack whose output it is", async () => {
    const large = value("b".repeat(1_000));
    const type = { ...template({ v: large }, { o: { value: replaced(attribute("v")) } }).template };
    const files = { "large.yaml": JSON.stringify(type) };
    const body = { ...template({ below: { type: "large.yaml" } }), files };
    expect((await create("above", body)).status).toBe(201);
    expect(await waitForStack(url(), "above")).toBe("CREATE_FAILED");
    const reason = `resources.below: outputs.o: ${isTooLarge("str_replace")}`;
    expect(at(await stack("above"), "stack_status_reason")).toContain(reason);
    await isDeleted("above");
  });

  it("makes an output an error, and leaves the rest of the stack readable", async () => {
    const outputs = {
      large: { value: replaced(attribute("v")) },
      small: { value: attribute("v") },
    };
    expect((await create("shown", template({ v: value("b".repeat(1_000)) }, outputs))).status).toBe(
      201,
    );
    expect(await waitForStack(url(), "shown")).toBe("CREATE_COMPLETE");
    const shown = await stack("shown");
    expect(at(shown, "outputs", 0, "output_error")).toBe(isTooLarge("str_replace"));
    expect(at(shown, "outputs", 1, "output_value")).toBe("b".repeat(1_000));
  });
});

/** Makes a row as large as a former version could make it. No key opens its texts. */
const enlarge = (resource: string, bytes: number): number => {
  const database = new DatabaseSync(join(folder, DATABASE_FILE));
  const sealed = `'v1.' || hex(zeroblob(${bytes / 2}))`;
  const { changes } = database
    .prepare(
      `UPDATE resources SET body = json_set(body, '$.properties', ${sealed}, '$.reference', ${sealed})
        WHERE json_extract(body, '$.name') = ?`,
    )
    .run(resource);
  database.close();
  return Number(changes);
};

describe("a folder with a row above the limit", () => {
  it("starts, shows the stack, makes the values anew, and deletes the stack", async () => {
    const source = (text: string) =>
      template({ huge: value(text) }, { o: { value: attribute("huge") } });
    expect((await create("former", source("x"))).status).toBe(201);
    expect(await waitForStack(url(), "former")).toBe("CREATE_COMPLETE");
    await host?.stop();
    expect(enlarge("huge", ROW_BYTES_MAX)).toBe(1);
    await start();

    const { body } = await send(url(), "GET", "/v1/demo/stacks/former/resources");
    expect(at(body, "resources", 0, "resource_status")).toBe("CREATE_FAILED");
    expect(at(body, "resources", 0, "resource_status_reason")).toContain("dropped the values");
    expect(at(await stack("former"), "stack_status")).toBe("CREATE_COMPLETE");

    const before = await newestEvent(url(), "former");
    expect((await send(url(), "PUT", "/v1/demo/stacks/former", source("y"))).status).toBe(202);
    expect(await waitForStack(url(), "former", before)).toBe("UPDATE_COMPLETE");
    expect(at(await stack("former"), "outputs", 0, "output_value")).toBe("y");
    await host?.stop();
    expect(enlarge("huge", ROW_BYTES_MAX)).toBeGreaterThan(0);
    await start();
    await isDeleted("former");
  });
});
