import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { openClient } from "#client/client.ts";
import { type Host, startHost } from "#host/host.ts";
import { withContents } from "../../../apps/cli/stack/actions.ts";
import { hearthHere, printedHere } from "./hearth-here.ts";

const TEMPLATE = `heat_template_version: 2018-08-31
parameters:
  a: {type: string, default: dflt-a}
  b: {type: string, default: dflt-b}
  key: {type: string, hidden: true, default: hidden-text}
resources:
  word: {type: "My::Word", properties: {value: {get_param: a}}}
outputs:
  both: {value: {list_join: [",", [{get_param: a}, {get_param: b}, {get_file: said.txt}]]}}
`;
const ENVIRONMENT = 'resource_registry: {"My::*": "OS::Heat::*", "My::Word": "OS::Heat::Value"}\n';

let host: Host;
let folder: string;
let template: string;
let environment: string;

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

beforeAll(async () => {
  host = await startHost({ port: 0, data: null });
  folder = mkdtempSync(join(tmpdir(), "hearth-everyday-"));
  file("said.txt", "said");
  template = file("app.yaml", TEMPLATE);
  environment = file("env.yaml", ENVIRONMENT);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true });
});

const run = (...words: readonly string[]) => printedHere(host.url, ...words);
const tried = (...words: readonly string[]) => hearthHere(host.url, ...words);
const create = (name: string, ...words: readonly string[]) =>
  run("stack", "create", name, "-t", template, "-e", environment, ...words);
const both = async (name: string) => (await run("stack", "outputs", name, "both")).trim();
const namesIn = async (...words: readonly string[]) =>
  (await run("stack", "list", ...words))
    .split("\n")
    .slice(1, -1)
    .map((line) => line.split(" ")[0]);

describe("an update", () => {
  it("without a template keeps all that it does not name", async () => {
    await create("kept", "-P", "b=2", "--tags", "blue");
    await run("stack", "update", "kept", "-P", "a=9");
    expect(await both("kept")).toBe("9,2,said");
    expect(await run("stack", "list", "--tags", "blue")).toContain("kept ");
    await run("stack", "update", "kept", "--clear-parameter", "b");
    expect(await both("kept")).toBe("9,dflt-b,said");
  });

  it("with a template gives all anew, or with --existing keeps the rest", async () => {
    await create("anew", "-P", "a=1", "-P", "b=2");
    const given = ["stack", "update", "anew", "-t", template];
    await run(...given, "--existing", "-P", "a=9");
    expect(await both("anew")).toBe("9,2,said");
    const cleared = await tried(...given, "--clear-parameter", "b");
    expect(cleared).toMatchObject({ code: 2, stderr: expect.stringContaining("--existing") });
    await run(...given, "-e", environment, "-P", "a=8");
    expect(await both("anew")).toBe("8,dflt-b,said");
  });

  it("takes an environment without a template, and a plan of it can be applied", async () => {
    await create("planned");
    const more = file("more.yaml", "parameters: {b: from-environment}\n");
    const plan = join(folder, "plan.json");
    const words = ["stack", "update", "planned", "-e", more, "-P", "b=weaker"];
    expect(await run(...words, "--out", plan)).toContain("the parameter b");
    expect(await both("planned")).toBe("dflt-a,dflt-b,said");
    await run("stack", "apply", plan);
    expect(await both("planned")).toBe("dflt-a,from-environment,said");
  });

  it("tells in a dry run which parameters change, and no hidden value", async () => {
    await create("told", "-P", "b=2", "-P", "key=first-secret");
    const dry = ["stack", "update", "told", "--dry-run"];
    const kept = await run(...dry, "-P", "a=9", "-P", "key=second-secret");
    expect(kept).toMatch(/^~ updated {3}the parameter a: "dflt-a" -> "9"$/m);
    expect(kept).toMatch(/^~ updated {3}the parameter key$/m);
    expect(kept).not.toContain("parameter b");
    const anew = await run(...dry, "-t", template, "-e", environment);
    expect(anew).toMatch(/^~ updated {3}the parameter b: "2" -> "dflt-b" \(its default\)$/m);
    expect(anew).toMatch(/^~ updated {3}the parameter key \(its default\)$/m);
    for (const text of [kept, anew, await run(...dry, "-t", template, "-e", environment, "--json")])
      expect(text).not.toMatch(/-secret|hidden-text/);
  });
});

describe("values", () => {
  it("come from the environment, a file of parameters and --parameter, the last wins", async () => {
    const values = file("values.yaml", "a: file\nb: file\n");
    vi.stubEnv("HEARTH_PARAM_a", "variable");
    vi.stubEnv("HEARTH_PARAM_b", "variable");
    vi.stubEnv("HEARTH_PARAM_other", "of another template");
    await create("valued");
    expect(await both("valued")).toBe("variable,variable,said");
    await run("stack", "update", "valued", "--parameter-file", values);
    expect(await both("valued")).toBe("file,file,said");
    await run("stack", "update", "valued", "--parameter-file", values, "-P", "a=word");
    expect(await both("valued")).toBe("word,file,said");
    vi.unstubAllEnvs();
    vi.stubEnv("HEARTH_PARAM_b", "");
    vi.stubEnv("HEARTH_PARAM_a", "again");
    await run("stack", "update", "valued");
    expect(await both("valued")).toBe("again,file,said");
  });

  it("are the text of a file with @, which @@ stands for", async () => {
    const text = file("value.txt", "of a file");
    await create("read", "-P", `a=@${text}`, "-P", "b=@@home");
    expect(await both("read")).toBe("of a file,@home,said");
    const none = await tried("stack", "update", "read", "-P", "a=@none.txt");
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("none.txt") });
  });
});

describe("a create", () => {
  it("in a dry run shows what it would make, and makes nothing", async () => {
    const group = file(
      "group.yaml",
      `heat_template_version: 2018-08-31
resources:
  group:
    type: OS::Heat::ResourceGroup
    properties: {count: 2, resource_def: {type: "OS::Heat::Value", properties: {value: x}}}
`,
    );
    expect(await run("stack", "create", "never", "-t", group, "--dry-run")).toBe(
      `+ added     group  OS::Heat::ResourceGroup
+ added     group/0  OS::Heat::Value
+ added     group/1  OS::Heat::Value
3 added.
`,
    );
    expect(await namesIn("--name", "never")).toEqual([]);
  });

  it("and an update of a wrong template tell all its errors with their places", async () => {
    const wrong = file(
      "wrong.yaml",
      `heat_template_version: 2018-08-31
parameters: {size: {type: numbr}}
resources:
  word: {type: "OS::Heat::RandomString", properties: {lenght: 3}}
`,
    );
    await create("right");
    for (const words of [
      ["create", "wrong"],
      ["create", "wrong", "--dry-run"],
      ["update", "right"],
      ["update", "right", "--dry-run"],
      ["diff", "right"],
    ]) {
      const { code, stderr } = await tried("stack", ...words, "-t", wrong);
      expect(code, words.join(" ")).toBe(1);
      const lines = stderr.split("\n");
      expect(lines[0]).toBe("The request is refused: 2 errors.");
      expect(lines[1]).toContain(`${wrong}:2:21: error: Invalid type (numbr). Did you mean`);
      expect(lines[2]).toContain(`${wrong}:4:`);
    }
  });

  it("tells the host's own refusal where the template is right", async () => {
    const words = ["stack", "create", "bad/name", "-t", template, "-e", environment];
    await expect(tried(...words)).rejects.toThrow("Invalid stack name bad/name");
  });
});

describe("lists", () => {
  it("of stacks have filters, an order and a limit", async () => {
    for (const name of ["list-a", "list-b", "list-c"]) await create(name, "--tags", "listed");
    const listed = ["--tags", "listed"];
    expect(await namesIn(...listed)).toEqual(["list-c", "list-b", "list-a"]);
    expect(await namesIn(...listed, "--sort", "name")).toEqual(["list-a", "list-b", "list-c"]);
    expect(await namesIn(...listed, "--sort", "name:desc", "--limit", "1")).toEqual(["list-c"]);
    expect(await namesIn("--name", "list-a", "--name", "list-b")).toEqual(["list-b", "list-a"]);
    expect(await namesIn(...listed, "--status", "FAILED")).toEqual([]);
    expect(await namesIn(...listed, "--status", "CREATE_COMPLETE")).toHaveLength(3);
    expect((await tried("stack", "list", "--sort", "age")).code).toBe(2);
  });

  it("of deployments take a stack, and an unknown stack or server is an error", async () => {
    const servers = file(
      "servers.yaml",
      `heat_template_version: 2018-08-31
resources:
  idle: {type: "OS::Heat::DeployedServer"}
  server: {type: "OS::Heat::DeployedServer"}
  setup: {type: "OS::Heat::SoftwareConfig", properties: {group: script, config: "#!/bin/sh"}}
  install:
    type: OS::Heat::SoftwareDeployment
    properties:
      server: {get_resource: server}
      config: {get_resource: setup}
      signal_transport: NO_SIGNAL
`,
    );
    await run("stack", "create", "served", "-t", servers);
    await run("stack", "create", "other", "-t", servers);
    const rows = (await run("deployment", "list", "served")).trim().split("\n");
    expect(rows).toEqual([expect.anything(), expect.stringMatching(/^served +install /)]);
    expect((await run("deployment", "list", "served", "--server", "idle")).trim()).not.toContain(
      "\n",
    );
    const unknown = await tried("deployment", "list", "served", "--server", "nosuch");
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("The stack served has no server nosuch."),
    });
    for (const words of [
      ["deployment", "list", "nosuch"],
      ["server", "list", "nosuch"],
    ]) {
      await expect(tried(...words)).rejects.toThrow("The Stack (nosuch) could not be found.");
    }
    const client = openClient({ endpoint: host.url, project: "demo" });
    const session = { client, json: false, waitMsMax: null, print: () => {}, printNamed: () => {} };
    expect(await withContents(session, await client.findStack("served"))).toBe(
      "served with 4 resources (1 software deployment)",
    );
  });
});

describe("a delete", () => {
  it("takes several stacks, and deletes none if one is unknown", async () => {
    for (const name of ["gone-a", "gone-b"]) await create(name, "--tags", "gone");
    const words = ["stack", "delete", "gone-a", "gone-b"];
    await expect(tried(...words, "nosuch", "--yes")).rejects.toThrow("nosuch");
    expect(await namesIn("--tags", "gone")).toHaveLength(2);
    expect(JSON.parse(await run(...words, "--yes", "--json"))).toEqual({});
    expect(await namesIn("--tags", "gone")).toEqual([]);
    expect(await namesIn("--tags", "gone", "--deleted")).toHaveLength(2);
  });

  it("and an abandon are refused where nobody can be asked", async () => {
    await create("asked");
    for (const verb of ["delete", "abandon"]) {
      expect(await tried("stack", verb, "asked")).toMatchObject({ code: 2 });
    }
    expect(await namesIn("--name", "asked")).toEqual(["asked"]);
    const document = JSON.parse(await run("stack", "abandon", "asked", "--yes"));
    expect(Object.keys(document.resources)).toEqual(["word"]);
    expect(await namesIn("--name", "asked")).toEqual([]);
  });
});
