/** stack check with a plug-in whose objects others change. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { type ServeProcess, startServe } from "../host/serve-process.ts";
import { hearthHere } from "./hearth-here.ts";

const PLUGIN = `import { readFileSync, rmSync, writeFileSync } from "node:fs";
export default {
  provider: 1,
  name: "checked-files",
  types: {
    "Checked::File": {
      description: "A text file that a check reads.",
      properties: {
        path: { type: "string", required: true },
        content: { type: "string", default: "" },
      },
      tokens: "kept",
      create: ({ properties: { path, content } }) => {
        writeFileSync(path, content);
        return { state: "finished", physicalId: path };
      },
      delete: ({ physicalId }) => {
        rmSync(physicalId, { force: true });
        return { state: "finished" };
      },
      check: ({ physicalId, properties }) => {
        try {
          const found = readFileSync(physicalId, "utf8");
          if (found === properties.content) return { state: "finished" };
          return { state: "failed", reason: "content: it is " + JSON.stringify(found) };
        } catch {
          return { state: "gone" };
        }
      },
    },
  },
};
`;

let folder: string;
let host: ServeProcess;

const at = (name: string): string => join(folder, "files", name);

beforeAll(async () => {
  folder = freshFolder();
  mkdirSync(join(folder, "files"));
  const plugin = join(folder, "checked-files.mjs");
  writeFileSync(plugin, PLUGIN);
  host = await startServe("--memory", "--plugin", plugin);
  const file = (name: string) => ({
    type: "Checked::File",
    properties: { path: at(name), content: "ours" },
  });
  const template = join(folder, "template.json");
  const resources = {
    gone: file("gone"),
    changed: file("changed"),
    kept: file("kept"),
    top: { type: "OS::Heat::TestResource", depends_on: ["gone"] },
  };
  writeFileSync(template, JSON.stringify({ heat_template_version: "2018-08-31", resources }));
  const made = await hearthHere(host.url, "stack", "create", "app", "-t", template);
  if (made.code !== 0) throw new Error(made.stderr);
});

afterAll(async () => {
  await host.stop("SIGKILL");
  removeFolder(folder);
});

const check = (...options: readonly string[]) =>
  hearthHere(host.url, ...options, "stack", "check", "app");

it("ends with 0 as long as nothing has drifted", async () => {
  const ended = await check();
  expect(ended.code).toBe(0);
  expect(ended.stdout).toMatch(/CHECK_COMPLETE[\s\S]*\nNo resource has drifted\.\n$/);
});

it("shows what has drifted and why, and ends with 1", async () => {
  rmSync(at("gone"));
  writeFileSync(at("changed"), "theirs");
  const ended = await check();
  expect(ended.code).toBe(1);
  expect(ended.stdout).toContain("Of 4 resources, 2 drifted:\n");
  expect(ended.stdout).toMatch(/^gone +CHECK_FAILED +\S.*$/m);
  expect(ended.stdout).toMatch(/^changed +CHECK_FAILED +content: it is "theirs"$/m);
  expect(ended.stdout).toContain("Not checked, because they depend on those: top.\n");
  const document = await check("--json");
  expect(document.code).toBe(1);
  const { stack, drifted, unchecked } = JSON.parse(document.stdout);
  expect(stack.stack_status).toBe("CHECK_FAILED");
  expect(drifted.map(({ path }: { path: string }) => path).toSorted()).toEqual(["changed", "gone"]);
  expect(unchecked).toEqual(["top"]);
});
