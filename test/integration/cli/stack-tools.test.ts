import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { hearthHere, printedHere } from "./hearth-here.ts";

let host: Host;
let folder: string;

beforeAll(async () => {
  host = await startHost({ port: 0, data: null });
  folder = mkdtempSync(join(tmpdir(), "hearth-tools-"));
});

afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true });
});

const run = (...words: readonly string[]) => printedHere(host.url, ...words);

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const thing = (properties: string): string =>
  file(
    "thing.yaml",
    `heat_template_version: 2016-10-14
resources:
  thing: {type: "OS::Heat::TestResource", properties: {${properties}}}
  other: {type: "OS::Heat::RandomString"}
`,
  );

describe("resource-type", () => {
  it("list takes a pattern", async () => {
    const all = (await run("resource-type", "list")).trim().split("\n");
    expect(all).toContain("OS::Heat::RandomString");
    const some = (await run("resource-type", "list", "OS::Heat::Random")).trim().split("\n");
    expect(some).toEqual(["OS::Heat::RandomString"]);
  });

  it("show tells what a property needs, and what its change does", async () => {
    const text = await run("resource-type", "show", "OS::Heat::RandomString");
    expect(text).toMatch(/^type +OS::Heat::RandomString$/m);
    expect(text).toMatch(/^ {2}length +integer +32 +replaces /m);
    expect(text).toMatch(/^attributes:$/m);
    const { properties } = JSON.parse(
      await run("--json", "resource-type", "show", "OS::Heat::RandomString"),
    );
    expect(Object.keys(properties)).toContain("length");
  });
});

describe("init", () => {
  it("writes a template that makes a stack, and replaces no file", async () => {
    const path = join(folder, "first.yaml");
    expect(await run("init", path)).toContain(`hearth stack create first -t ${path}`);
    expect(await run("template", "validate", path)).toContain("The template is valid.");
    await run("stack", "create", "first", "-t", path);
    const said = await run("stack", "outputs", "first", "greeting");
    expect(said).toBe("The password of first has 20 characters.\n");
    const text = readFileSync(path, "utf8");
    expect((await hearthHere(host.url, "init", path)).code).toBe(2);
    expect(readFileSync(path, "utf8")).toBe(text);
    const nowhere = join(folder, "none", "first.yaml");
    expect((await hearthHere(host.url, "init", nowhere)).code).toBe(2);
    expect(existsSync(nowhere)).toBe(false);
  });
});

describe("template export", () => {
  it("prints a template that makes the same stack again", async () => {
    const words = 'a: "yes", b: "2021-04-16", c: "1e3", d: "a: b\\n#c"';
    const template = file(
      "words.yaml",
      `heat_template_version: 2018-08-31
outputs: {said: {value: {${words}}}}
`,
    );
    await run("stack", "create", "words", "-t", template);
    const path = join(folder, "exported.yaml");
    await run("template", "export", "words", "--output-file", path);
    expect(readFileSync(path, "utf8")).toBe(await run("template", "export", "words"));
    await run("stack", "create", "again", "-t", path);
    const [first, second] = [
      await run("--json", "template", "export", "words"),
      await run("--json", "template", "export", "again"),
    ];
    expect(second).toBe(first);
    const said = await run("stack", "outputs", "again", "said");
    expect(JSON.parse(said)).toEqual({ a: "yes", b: "2021-04-16", c: "1e3", d: "a: b\n#c" });
  });
});

describe("stack diff", () => {
  const diff = (...words: readonly string[]) =>
    hearthHere(host.url, "stack", "diff", "compared", "--detailed-exitcode", ...words);

  it("is empty for the stack's own template, and otherwise shows text and changes", async () => {
    const first = file(
      "first-target.yaml",
      `heat_template_version: 2018-08-31
parameters: {size: {type: number, default: 8}, ratio: {type: number, default: 1.0}}
resources:
  word: {type: "OS::Heat::RandomString", properties: {length: {get_param: size}}}
`,
    );
    await run("stack", "create", "compared", "-t", first);
    const none = await diff("-t", first);
    expect(none).toMatchObject({ code: 0, stdout: "Nothing changes.\n1 not visited.\n" });
    expect((await diff()).code).toBe(0);
    const second = file("second-target.yaml", readFileSync(first, "utf8").replace(": 8", ": 9"));
    const changed = await diff("-t", second);
    expect(changed.code).toBe(2);
    expect(changed.stdout).toContain("\n-    default: 8\n+    default: 9\n");
    expect(changed.stdout).toMatch(/^± replaced +word /m);
    const parameter = await diff("--parameter", "size=9");
    expect(parameter.code).toBe(2);
    expect(parameter.stdout).toContain("+  size:");
    expect(parameter.stdout).toMatch(/^± replaced +word /m);
    const document = JSON.parse((await diff("--json", "-t", second)).stdout);
    expect(document.patches.map(({ part }: { part: string }) => part)).toEqual(["template"]);
    expect(document.resource_changes.replaced).toHaveLength(1);
    expect((await run("stack", "diff", "compared", "-t", second)).length).toBeGreaterThan(0);
  });

  it("without a template takes an environment too, and with --existing keeps the parameters", async () => {
    const environment = file("size.yaml", "parameters: {size: 9}\n");
    const other = await diff("-e", environment);
    expect(other.stdout).toContain("\n+  size: 9\n");
    expect(other.stdout).toMatch(/^~ updated +the parameter size: 8 -> 9$/m);
    await run("stack", "update", "compared", "-P", "ratio=2");
    const first = join(folder, "first-target.yaml");
    expect((await diff("-t", first)).stdout).toMatch(/^~ updated +the parameter ratio.*default/m);
    expect((await diff("-t", first, "--existing")).code).toBe(0);
  });
});

describe("stack update --dry-run --detailed-exitcode", () => {
  it("ends with 0 if nothing changes in a group, and with 2 if something does", async () => {
    const member = (length: number): string =>
      file(
        "member.yaml",
        `heat_template_version: 2018-08-31
resources: {word: {type: "OS::Heat::RandomString", properties: {length: ${length}}}}
outputs: {text: {value: {get_attr: [word, value]}}}
`,
      );
    const group = file(
      "group.yaml",
      `heat_template_version: 2018-08-31
resources:
  group:
    type: OS::Heat::ResourceGroup
    properties: {count: 2, resource_def: {type: member.yaml}}
  reader: {type: "OS::Heat::Value", properties: {value: {get_attr: [group, text]}}}
`,
    );
    member(8);
    await run("stack", "create", "grouped", "-t", group);
    const words = ["stack", "update", "grouped", "-t", group, "--dry-run", "--detailed-exitcode"];
    expect(await hearthHere(host.url, ...words)).toMatchObject({
      code: 0,
      stdout: "Nothing changes.\n2 checked, unchanged: reader, group\n",
    });
    member(9);
    const changed = await hearthHere(host.url, ...words);
    expect(changed.code).toBe(2);
    expect(changed.stdout).toMatch(/^~ updated +group .*\n +because in it: 2 updated$/m);
    expect(changed.stdout).toMatch(/^~ updated +reader /m);
  });
});

describe("stack events", () => {
  it("are those of a resource, the newest, or the young ones", async () => {
    await run("stack", "create", "old", "-t", thing("value: a"));
    const events = async (...options: readonly string[]) =>
      (await run("stack", "events", "old", ...options)).split("\n").slice(0, -1);
    const all = await events();
    expect(all.length).toBe(6);
    expect(await events("--limit", "2")).toEqual(all.slice(-2));
    expect(await events("--limit", "2", "--since", "1d")).toEqual(all.slice(-2));
    expect(await events("--since", "1h")).toEqual(all);
    expect(await events("--since", "2100-01-01")).toEqual([]);
    const ofThing = await events("--resource", "thing");
    expect(ofThing).toEqual(all.filter((line) => line.includes("[thing]")));
    expect(await events("--resource", "thing", "--limit", "1")).toEqual(ofThing.slice(-1));
  });

  it.each([
    ["--since", "soon"],
    ["--since", "2026-13-40"],
    ["--limit", "0"],
    ["--resource", ""],
  ])("refuse %s %j", async (option, value) => {
    expect((await hearthHere(host.url, "stack", "events", "old", option, value)).code).toBe(2);
  });
});

describe("waiting", () => {
  it("ends with --wait-timeout, and watch shows the rest", async () => {
    const slow = thing("value: a, action_wait_secs: {create: 6}");
    const words = ["stack", "create", "slow", "-t", slow, "--wait-timeout", "1s"];
    const late = await hearthHere(host.url, ...words);
    expect(late.code).toBe(1);
    expect(late.stderr).toContain("Stopped waiting after 1s; the create of slow goes on.");
    const early = await hearthHere(host.url, "stack", "watch", "slow", "--wait-timeout", "1s");
    expect(early).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^Stopped waiting after 1s; slow goes on\. "hearth stack diagnose slow"/,
      ),
    });
    const watched = await run("stack", "watch", "slow");
    expect(watched).toContain("[thing] CREATE_COMPLETE");
    expect(watched).toMatch(/slow is CREATE_COMPLETE\.\n$/);
    expect(await run("stack", "watch", "slow")).toBe("slow is CREATE_COMPLETE.\n");
    await run("stack", "delete", "-y", "slow");
  });

  it("fails where the stack has failed", async () => {
    const failing = thing("value: a, fail: true");
    await hearthHere(host.url, "stack", "create", "failed", "-t", failing);
    const { code, stdout } = await hearthHere(host.url, "stack", "watch", "failed");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "failed is CREATE_FAILED.\n" });
  });

  it.each(["0s", "soon", "5", "25d", "600h"])("refuses --wait-timeout %s", async (time) => {
    const words = ["stack", "delete", "-y", "old", "--wait-timeout", time];
    expect((await hearthHere(host.url, ...words)).code).toBe(2);
  });
});
