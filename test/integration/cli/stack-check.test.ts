import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CheckedFiles, startCheckedFiles } from "./checked-files.ts";
import { hearthHere } from "./hearth-here.ts";

let files: CheckedFiles;

beforeAll(async () => {
  files = await startCheckedFiles();
  const template = join(files.folder, "template.json");
  const resources = {
    gone: files.file("gone"),
    changed: files.file("changed"),
    kept: files.file("kept"),
    top: { type: "OS::Heat::TestResource", depends_on: ["gone"] },
  };
  writeFileSync(template, JSON.stringify({ heat_template_version: "2018-08-31", resources }));
  const made = await hearthHere(files.url, "stack", "create", "app", "-t", template);
  if (made.code !== 0) throw new Error(made.stderr);
});

afterAll(() => files.stop());

const check = (...options: readonly string[]) =>
  hearthHere(files.url, ...options, "stack", "check", "app");

it("ends with 0 as long as nothing has drifted", async () => {
  const ended = await check();
  expect(ended.code).toBe(0);
  expect(ended.stdout).toMatch(/CHECK_COMPLETE[\s\S]*\nNo resource has drifted\.\n$/);
});

it("shows what has drifted and why, and ends with 1", async () => {
  rmSync(files.at("gone"));
  writeFileSync(files.at("changed"), "theirs");
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
