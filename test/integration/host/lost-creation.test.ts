import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { type Ended, hearth } from "../cli/hearth-process.ts";
import { at, send, waitForStack } from "./host-client.ts";
import { killInCreation } from "./kill-in-creation.ts";
import { type ServeProcess, startServe } from "./serve-process.ts";

const TYPE = "Hearth::Test::Tokenless";
const ROWS = "/v1/demo/stacks/app/resources";
const RESOLVE = ["stack", "resource", "resolve", "app", "lost"];

const template = (value: string) => ({
  heat_template_version: "2016-10-14",
  resources: { lost: { type: TYPE, properties: { value } } },
});

let folder: string;
let host: ServeProcess | null;
beforeEach(() => {
  folder = freshFolder();
  host = null;
});
afterEach(async () => {
  await host?.stop("SIGKILL");
  removeFolder(folder);
});

const restarted = async (place: Parameters<typeof killInCreation>[1]): Promise<string> => {
  const data = join(folder, "data");
  await killInCreation(data, place, { stack_name: "app", template: template("1") });
  host = await startServe("--data", data);
  expect(await waitForStack(host.url, "app")).toBe("CREATE_FAILED");
  return host.url;
};

const run = async (url: string, ...words: readonly string[]): Promise<Ended> => {
  const ended = await hearth(url, ...words);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  return ended;
};

const update = (url: string, value: string): Promise<Ended> => {
  const file = join(folder, "template.json");
  writeFileSync(file, JSON.stringify(template(value)));
  return run(url, "stack", "update", "app", "-t", file);
};

const objectsOf = async (url: string): Promise<unknown> => {
  const objects = at((await send(url, "GET", "/_dev/resources")).body, "resources");
  if (!Array.isArray(objects)) throw new Error("the host lists no objects");
  return objects.map((one) => [at(one, "physical_id"), at(one, "properties", "value")]);
};

const rowOf = async (url: string) => at((await send(url, "GET", ROWS)).body, "resources", 0);

describe("a host that is killed between the provider's answer and its write", () => {
  it("asks what has become of the object, and makes no second one", async () => {
    const url = await restarted("before the answer is stored");
    const row = await rowOf(url);
    expect(at(row, "resource_status")).toBe("CREATE_FAILED");
    expect(at(row, "resource_status_reason")).toMatch(
      /outcome unknown: .*`hearth stack resource resolve`: --import ID, --nothing-was-made or --retry/,
    );
    expect(await objectsOf(url)).toEqual([["object-1", "1"]]);
  });

  it("takes the object into service if a user imports it", async () => {
    const url = await restarted("before the answer is stored");
    await run(url, ...RESOLVE, "--import", "object-1");
    const row = await rowOf(url);
    expect(at(row, "resource_status")).toBe("CREATE_COMPLETE");
    expect(at(row, "physical_resource_id")).toBe("object-1");
    expect((await update(url, "2")).stdout).toContain("UPDATE_COMPLETE");
    expect(await objectsOf(url)).toEqual([["object-1", "2"]]);
    await run(url, "stack", "delete", "--yes", "app");
    expect(await objectsOf(url)).toEqual([]);
  });

  it("creates it again on request, and keeps away from the first object", async () => {
    const url = await restarted("before the answer is stored");
    await run(url, ...RESOLVE, "--retry");
    await expect
      .poll(async () => at((await send(url, "GET", "/v1/demo/stacks/app")).body, "stack"), {
        timeout: 20_000,
      })
      .toMatchObject({ stack_status: "UPDATE_COMPLETE" });
    expect(at(await rowOf(url), "physical_resource_id")).toBe("object-2");
    expect(await objectsOf(url)).toEqual([
      ["object-1", "1"],
      ["object-2", "1"],
    ]);
    await run(url, "stack", "delete", "--yes", "app");
    expect(await objectsOf(url)).toEqual([["object-1", "1"]]);
  });

  it("leaves the object alone if a user says that nothing was made", async () => {
    const url = await restarted("before the answer is stored");
    await run(url, ...RESOLVE, "--nothing-was-made");
    expect((await update(url, "2")).stdout).toContain("UPDATE_COMPLETE");
    expect(await objectsOf(url)).toEqual([
      ["object-1", "1"],
      ["object-2", "2"],
    ]);
    await run(url, "stack", "delete", "--yes", "app");
    expect(await objectsOf(url)).toEqual([["object-1", "1"]]);
  });

  it("deletes the stack only with an answer or by force, which it records", async () => {
    const url = await restarted("before the answer is stored");
    const { body } = await send(url, "GET", "/v1/demo/stacks/app");
    const id = String(at(body, "stack", "id"));
    expect(await hearth(url, "stack", "delete", "--yes", "app")).toMatchObject({
      code: 1,
      stderr:
        "ERROR: Stack app has resources whose creation may have made an object: lost. Say what is so with `hearth stack resource resolve`, or delete the stack with --force.\n",
    });
    expect(at((await send(url, "GET", "/v1/demo/stacks/app")).body, "stack")).toMatchObject({
      stack_status: "CREATE_FAILED",
    });
    await run(url, "stack", "delete", "--yes", "--force", "app");
    expect((await send(url, "GET", "/v1/demo/stacks/app")).status).toBe(404);
    const events = await send(url, "GET", `/v1/demo/stacks/app/${id}/events`);
    expect(JSON.stringify(events.body)).toContain(
      `Deleted by force without an answer: an object of ${TYPE} may remain at its provider`,
    );
    expect(await objectsOf(url)).toEqual([["object-1", "1"]]);
  });
});

describe("a host that is killed before the provider has made the object", () => {
  it("asks the same, and creates it once if a user says that nothing was made", async () => {
    const url = await restarted("before the object is made");
    expect(at(await rowOf(url), "resource_status_reason")).toContain("outcome unknown");
    expect(await objectsOf(url)).toEqual([]);
    await run(url, ...RESOLVE, "--nothing-was-made");
    expect(await objectsOf(url)).toEqual([]);
    expect((await update(url, "2")).stdout).toContain("UPDATE_COMPLETE");
    expect(await objectsOf(url)).toEqual([["object-1", "2"]]);
    await run(url, "stack", "delete", "--yes", "app");
    expect(await objectsOf(url)).toEqual([]);
  });
});
