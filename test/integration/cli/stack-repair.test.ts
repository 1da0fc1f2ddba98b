import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type CheckedFiles, startCheckedFiles } from "./checked-files.ts";
import { hearthHere } from "./hearth-here.ts";

let files: CheckedFiles;
let template: string;

const at = (name: string): string => files.at(name);
const run = (...words: readonly string[]) => hearthHere(files.url, ...words);

beforeAll(async () => {
  files = await startCheckedFiles();
  template = join(files.folder, "template.json");
  const resources = {
    changed: files.file("changed"),
    fixed: files.file("fixed", "Checked::Fixed"),
    after: { ...files.file("after"), depends_on: "changed" },
  };
  writeFileSync(template, JSON.stringify({ heat_template_version: "2018-08-31", resources }));
});

afterAll(() => files.stop());

afterEach(() => run("stack", "delete", "--yes", "app"));

beforeEach(async () => {
  const made = await run("stack", "create", "app", "-t", template);
  if (made.code !== 0) throw new Error(made.stderr);
});

const content = (name: string): string => readFileSync(at(name), "utf8");

it("a check names the repair in its last line, and what that deletes before it", async () => {
  writeFileSync(at("changed"), "theirs");
  writeFileSync(at("fixed"), "theirs");
  const ended = await run("stack", "check", "app");
  expect(ended.code).toBe(1);
  expect(ended.stdout.trimEnd().split("\n").slice(-2)).toEqual([
    "The next update deletes what these have, and makes another object: fixed.",
    '"hearth stack repair app" shows what there is to do, asks, and does it.',
  ]);
});

it("names what would be deleted in a nested stack by its path", async () => {
  const version = { heat_template_version: "2018-08-31" };
  const resources = { fixed: files.file("inner", "Checked::Fixed") };
  writeFileSync(join(files.folder, "inner.yaml"), JSON.stringify({ ...version, resources }));
  const root = join(files.folder, "root.json");
  writeFileSync(root, JSON.stringify({ ...version, resources: { inner: { type: "inner.yaml" } } }));
  const made = await run("stack", "create", "tree", "-t", root);
  expect(made.code, made.stderr).toBe(0);
  writeFileSync(at("inner"), "theirs");
  const line = "The next update deletes what these have, and makes another object: inner/fixed.";
  expect((await run("stack", "check", "tree")).stdout).toContain(line);
  expect((await run("stack", "repair", "--yes", "tree")).stdout).toContain(line);
  expect((await run("stack", "delete", "--yes", "tree")).code).toBe(0);
});

it("looks, shows, and repairs", async () => {
  writeFileSync(at("changed"), "theirs");
  const ended = await run("stack", "repair", "--yes", "app");
  expect(ended.stderr).not.toContain("ERROR");
  expect(ended.stdout).toContain("~ updated   changed  Checked::File");
  expect(ended.stdout).toContain('because it is repaired: content: it is "theirs"');
  expect(ended.code).toBe(0);
  expect(content("changed")).toBe("ours");
  expect((await run("stack", "check", "app")).code).toBe(0);
});

it("looks again at what depends on something that had drifted", async () => {
  writeFileSync(at("changed"), "theirs");
  writeFileSync(at("after"), "theirs");
  const ended = await run("stack", "repair", "--yes", "app");
  expect(ended.stdout).toContain("~ updated   after  Checked::File");
  expect([ended.code, content("changed"), content("after")]).toEqual([0, "ours", "ours"]);
  writeFileSync(at("changed"), "theirs");
  writeFileSync(at("after"), "theirs");
  const document = JSON.parse((await run("--json", "stack", "repair", "--yes", "app")).stdout);
  expect(document).toMatchObject({
    stack: { stack_status: "UPDATE_COMPLETE" },
    resource_changes: {
      updated: [{ resource_name: "changed" }, { resource_name: "after" }],
    },
  });
  expect((await run("stack", "check", "app")).code).toBe(0);
});

it("ends as failed when a repair does not help, and names what still drifts", async () => {
  writeFileSync(at("changed"), "theirs");
  writeFileSync(at("fixed"), "theirs");
  writeFileSync(at("changed.stuck"), "");
  const ended = await run("stack", "repair", "--yes", "app");
  rmSync(at("changed.stuck"));
  expect(ended.stderr).toBe(
    'The update did not bring these back: changed. "hearth stack check app" says why.',
  );
  expect(ended.stdout.match(/UPDATE_COMPLETE {2}Stack/g)).toHaveLength(1);
  expect([ended.code, content("fixed")]).toEqual([1, "ours"]);
});

it("does not ask if there is nothing to repair", async () => {
  const ended = await run("stack", "repair", "app");
  expect(ended.code).toBe(0);
  expect(ended.stdout).toMatch(/\nNo resource has drifted\.\n$/);
});

it("changes nothing without a terminal to ask on", async () => {
  writeFileSync(at("changed"), "theirs");
  const ended = await run("stack", "repair", "app");
  expect(ended.code).toBe(2);
  expect(ended.stderr).toBe("There is no terminal to ask on: add --yes.");
  expect(content("changed")).toBe("theirs");
});

it("an update with --converge mends without a check, and its dry run says so", async () => {
  writeFileSync(at("changed"), "theirs");
  const dry = await run("stack", "update", "app", "-t", template, "--converge", "--dry-run");
  expect(dry.stdout).toContain("~ updated   changed  Checked::File");
  expect(dry.stdout).toContain("because it is brought back to its properties, whatever it has");
  const ended = await run("stack", "update", "app", "-t", template, "--converge");
  expect([ended.code, content("changed")]).toEqual([0, "ours"]);
});

it("a dry run with --full says what looks at nothing", async () => {
  writeFileSync(at("changed"), "theirs");
  const dry = await run("stack", "update", "app", "-t", template, "--full", "--dry-run");
  expect(dry.stdout).toContain(
    "Drift is not looked for: --converge mends it, and stack repair looks and asks first.",
  );
});
