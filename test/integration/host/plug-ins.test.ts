import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { type Ended, hearth } from "../cli/hearth-process.ts";
import { at, newestEvent, send, waitForStack } from "./host-client.ts";
import { type ServeProcess, startServe } from "./serve-process.ts";

const EXAMPLE = fileURLToPath(new URL("../../../examples/provider/my-file.mjs", import.meta.url));
const TYPE = "My::File";

let folder: string;
let plugin: string;
let host: ServeProcess | null;
beforeEach(() => {
  folder = freshFolder();
  plugin = join(folder, "my-file.mjs");
  copyFileSync(EXAMPLE, plugin);
  mkdirSync(join(folder, "files"));
  host = null;
});
afterEach(async () => {
  await host?.stop("SIGKILL");
  removeFolder(folder);
});

const fileAt = (name: string): string => join(folder, "files", name);
const textOf = (name: string): string | null =>
  existsSync(fileAt(name)) ? readFileSync(fileAt(name), "utf8") : null;

const restart = async (...options: readonly string[]): Promise<string> => {
  await host?.stop("SIGKILL");
  host = await startServe("--data", join(folder, "data"), ...options);
  return host.url;
};
const withPlugin = (): Promise<string> => restart("--plugin", plugin);

const template = (properties: JsonObject): JsonObject => ({
  heat_template_version: "2021-04-16",
  resources: { file: { type: TYPE, properties } },
  outputs: { size: { value: { get_attr: ["file", "size"] } } },
});

const saved = (properties: JsonObject): string => {
  const file = join(folder, "template.json");
  writeFileSync(file, JSON.stringify(template(properties)));
  return file;
};

const make = (url: string, stack: string, properties: JsonObject): Promise<Ended> =>
  hearth(url, "stack", "create", stack, "-t", saved(properties));
const change = (url: string, stack: string, properties: JsonObject, ...more: string[]) =>
  hearth(url, "stack", "update", stack, "-t", saved(properties), ...more);
const remove = (url: string, stack: string): Promise<Ended> =>
  hearth(url, "stack", "delete", "--yes", stack);

const rowOf = async (url: string, stack: string) =>
  at((await send(url, "GET", `/v1/demo/stacks/${stack}/resources`)).body, "resources", 0);

const MISSING = (source: string): string =>
  `The Resource Type (${TYPE}) could not be found. It was a type of the plug-in my-files (${source}), which this host does not have.`;

describe("a host with a plug-in", () => {
  it("lists, shows, checks, makes, changes, replaces and deletes its type", async () => {
    const url = await withPlugin();
    const types = await send(url, "GET", "/v1/demo/resource_types?name=My::File");
    expect(at(types.body, "resource_types")).toEqual([TYPE]);
    const shown = await send(url, "GET", `/v1/demo/resource_types/${TYPE}`);
    expect(at(shown.body, "properties", "path")).toMatchObject({
      type: "string",
      required: true,
      update_allowed: false,
      constraints: [{ allowed_pattern: "/.+" }],
    });
    expect(await make(url, "app", { path: "relative" })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"relative" does not match pattern "/.+"'),
    });
    expect(await make(url, "app", { path: fileAt("a"), content: "one" })).toMatchObject({
      code: 0,
    });
    expect(textOf("a")).toBe("one");
    expect((await hearth(url, "stack", "outputs", "app", "size")).stdout).toBe("3\n");

    const updated = { path: fileAt("a"), content: "longer" };
    const preview = await change(url, "app", updated, "--dry-run");
    expect(preview.stdout).toMatch(/update\S* +file|file +.*update/i);
    await change(url, "app", updated);
    expect(textOf("a")).toBe("longer");
    const replaced = { path: fileAt("b"), content: "new" };
    const other = await change(url, "app", replaced, "--dry-run");
    expect(other.stdout).toMatch(/replace/i);
    await change(url, "app", replaced);
    expect([textOf("a"), textOf("b")]).toEqual([null, "new"]);

    expect((await hearth(url, "stack", "check", "app")).stdout).toContain("CHECK_COMPLETE");
    expect((await remove(url, "app")).code).toBe(0);
    expect(textOf("b")).toBe(null);
  });

  it("mends with `converge` what others have changed or removed", async () => {
    const url = await withPlugin();
    expect(await make(url, "app", { path: fileAt("a"), content: "one" })).toMatchObject({
      code: 0,
    });
    const path = at(
      (await send(url, "GET", "/v1/demo/stacks")).body,
      "stacks",
      0,
      "links",
      0,
      "href",
    );
    const update = async (body: JsonObject): Promise<number> => {
      const marker = await newestEvent(url, "app");
      const { status } = await send(url, "PATCH", String(path).replace(url, ""), body);
      if (status === 202) await waitForStack(url, "app", marker);
      return status;
    };
    writeFileSync(fileAt("a"), "theirs");
    expect([await update({}), textOf("a")]).toEqual([202, "theirs"]);
    expect([await update({ converge: false }), textOf("a")]).toEqual([202, "theirs"]);
    expect([await update({ converge: true }), textOf("a")]).toEqual([202, "one"]);
    rmSync(fileAt("a"));
    expect([await update({ converge: "True" }), textOf("a")]).toEqual([202, "one"]);
    expect(await update({ converge: "zz" })).toBe(400);
  });

  it("keeps the new object if a replacement has the same physical id", async () => {
    // Without `update`, each change replaces the resource.
    writeFileSync(
      plugin,
      readFileSync(plugin, "utf8")
        .replace(", updateAllowed: true", "")
        .replace(/ {6}update: [\s\S]*? {6}delete:/, "      delete:"),
    );
    const url = await withPlugin();
    await make(url, "app", { path: fileAt("a"), content: "one" });
    const before = at(await rowOf(url, "app"), "physical_resource_id");
    expect((await change(url, "app", { path: fileAt("a"), content: "two" })).code).toBe(0);
    expect(at(await rowOf(url, "app"), "physical_resource_id")).toBe(before);
    expect(textOf("a")).toBe("two");
    expect((await remove(url, "app")).code).toBe(0);
    expect(textOf("a")).toBe(null);
  });

  it("does not start with a file that is none, and leaves no folder", async () => {
    writeFileSync(plugin, "export default { provider: 1 };");
    const data = join(folder, "data");
    const ended = await hearth("", "serve", "--port", "0", "--data", data, "--plugin", plugin);
    expect(ended).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(`ERROR: The plug-in ${plugin} cannot be used: `),
    });
    expect(existsSync(data)).toBe(false);
  });
});

describe("a host that is started without a plug-in that it had", () => {
  it("refuses updates, fails deletes by name, and loses nothing", async () => {
    const first = await withPlugin();
    await make(first, "app", { path: fileAt("a"), content: "one" });
    await make(first, "other", { path: fileAt("b"), content: "one" });

    const url = await restart();
    const unknown = await change(url, "app", { path: fileAt("a"), content: "two" });
    expect(unknown.stderr).toContain(`The Resource Type (${TYPE}) could not be found.`);
    expect((await remove(url, "other")).code).toBe(1);
    const row = await rowOf(url, "other");
    expect(at(row, "resource_status")).toBe("DELETE_FAILED");
    expect(at(row, "resource_status_reason")).toBe(`Error: resources.file: ${MISSING(plugin)}`);
    expect([textOf("a"), textOf("b")]).toEqual(["one", "one"]);

    const again = await withPlugin();
    const { code } = await change(again, "app", { path: fileAt("a"), content: "two" });
    expect([code, textOf("a")]).toEqual([0, "two"]);
    expect((await remove(again, "other")).code).toBe(0);
    expect((await remove(again, "app")).code).toBe(0);
    expect([textOf("a"), textOf("b")]).toEqual([null, null]);
  });

  it("asks its user about a creation that was not answered", async () => {
    // The plug-in makes the file, and its answer never comes.
    writeFileSync(
      plugin,
      readFileSync(plugin, "utf8").replace(
        "create: ({ properties }) => write(properties.path, properties.content),",
        "create: async ({ properties }) => { await write(properties.path, 'made'); await new Promise((resolve) => setTimeout(resolve, 25_000)); },",
      ),
    );
    const first = await withPlugin();
    await send(first, "POST", "/v1/demo/stacks", {
      stack_name: "app",
      template: JSON.stringify(template({ path: fileAt("a"), content: "one" })),
    });
    await expect.poll(() => textOf("a"), { timeout: 20_000 }).toBe("made");

    const url = await restart();
    expect(await waitForStack(url, "app")).toBe("CREATE_FAILED");
    expect(at(await rowOf(url, "app"), "resource_status_reason")).toBe(
      `Error: resources.file: ${MISSING(plugin)} The creation may have made an object; say what is so with \`hearth stack resource resolve\`: --import ID, --nothing-was-made or --retry`,
    );
    expect((await remove(url, "app")).code).toBe(1);

    copyFileSync(EXAMPLE, plugin);
    const again = await withPlugin();
    const resolve = ["stack", "resource", "resolve", "app", "file", "--import", fileAt("a")];
    expect((await hearth(again, ...resolve)).code).toBe(0);
    await change(again, "app", { path: fileAt("a"), content: "two" });
    expect(textOf("a")).toBe("two");
    expect((await remove(again, "app")).code).toBe(0);
    expect(textOf("a")).toBe(null);
  });
});
