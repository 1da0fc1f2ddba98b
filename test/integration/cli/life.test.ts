import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { hearth } from "./hearth-process.ts";

let host: Host;
let folder: string;

beforeEach(async () => {
  host = await startHost({ port: 0, data: null });
  folder = mkdtempSync(join(tmpdir(), "hearth-life-"));
});

afterEach(async () => {
  await host.stop();
  rmSync(folder, { recursive: true });
});

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const template = (value: string): string =>
  file(
    `${value}.yaml`,
    `heat_template_version: 2016-10-14
resources:
  thing: {type: "OS::Heat::TestResource", properties: {value: ${value}}}
`,
  );

/** Throws the command's own error text, so that a failure shows its cause. */
const run = async (...words: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await hearth(host.url, "stack", ...words);
  if (code !== 0) throw new Error(`stack ${words.join(" ")}: ${stderr}`);
  return stdout;
};

describe("the life of a stack from the command line", () => {
  it("is over with a purge, which lists the stacks that it has taken", async () => {
    await run("create", "app", "-t", template("one"));
    await run("delete", "--yes", "app");
    const none = await hearth(host.url, "purge", "--older-than", "1");
    expect(none).toMatchObject({ code: 0, stdout: "Purged stacks: 0.\n" });
    const taken = await hearth(host.url, "purge", "--older-than", "0", "-g", "seconds");
    expect(taken.code).toBe(0);
    expect(taken.stdout).toMatch(/^NAME +DELETED +ID\napp +\S+Z +\S+\nPurged stacks: 1\.\n$/);
    const again = await hearth(host.url, "--json", "purge", "--older-than", "0");
    expect(JSON.parse(again.stdout)).toEqual({ purged: [] });
    expect((await hearth(host.url, "purge")).code).toBe(2);
    expect((await hearth(host.url, "purge", "--older-than", "-1")).code).toBe(2);
    expect((await hearth(host.url, "purge", "--older-than", "1", "-g", "years")).code).toBe(2);
  });

  it("waits at a hook until it is cleared", async () => {
    const environment = file(
      "env.yaml",
      "resource_registry: {resources: {thing: {hooks: pre-create}}}\n",
    );
    const options = ["-t", template("one"), "-e", environment];
    const created = run("create", "app", ...options);
    let waiting = "";
    while (!waiting.includes("pre-create")) {
      waiting = await run("hook", "list", "app").catch(() => "");
    }
    expect(waiting).toMatch(/NAME +HOOK +SINCE\nthing +pre-create/);
    await run("hook", "clear", "app", "thing", "pre-create");
    expect(await created).toContain("CREATE_COMPLETE");
    await expect(run("hook", "clear", "app", "thing", "pre-create")).rejects.toThrow(
      'The "pre-create" hook is not defined on TestResource "thing"',
    );
  });

  it("includes a preview, a snapshot, a restore, an abandon and an adopt", async () => {
    await run("create", "app", "-t", template("one"));
    await run("snapshot", "create", "app", "--name", "first");
    expect(await run("snapshot", "list", "app")).toMatch(/\nfirst +COMPLETE +\S+\n$/);
    const listed = await run("snapshot", "list", "app", "--long");
    const id = /first +COMPLETE +\S+ +(\S+)/.exec(listed)?.[1] ?? "";
    const data = await run("snapshot", "show", "app", id);
    expect(data).toContain('"resource_data"');
    expect(await run("snapshot", "show", "app", "first")).toBe(data);
    expect(await run("update", "app", "-t", template("two"), "--dry-run")).toMatch(
      /^~ updated +thing +OS::Heat::TestResource\n +value: /m,
    );
    await run("update", "app", "-t", template("two"));
    expect(await run("snapshot", "restore", "app", "first")).toContain("RESTORE_COMPLETE");
    await run("snapshot", "delete", "app", id);
    await run("mark-unhealthy", "app", "thing", "it hums");
    expect(await run("resources", "app")).toMatch(/CHECK_FAILED +it hums/);
    await run("mark-unhealthy", "app", "thing", "--reset");

    const nowhere = join(folder, "none", "document.json");
    const lost = await hearth(
      host.url,
      "stack",
      "abandon",
      "app",
      "--yes",
      "--output-file",
      nowhere,
    );
    const stderr = `ERROR: ${nowhere} cannot be written: there is no such folder.\n`;
    expect(lost).toEqual({ code: 2, stdout: "", stderr });
    expect(await run("list")).toContain("app ");
    const document = join(folder, "document.json");
    await expect(run("abandon", "none", "--yes", "--output-file", document)).rejects.toThrow(
      "none",
    );
    expect(existsSync(document)).toBe(false);
    await run("abandon", "app", "--yes", "--output-file", document);
    expect(statSync(document).mode & 0o777).toBe(0o600);
    const { resource_id } = JSON.parse(readFileSync(document, "utf8")).resources.thing;
    expect(await run("adopt", "other", "--adopt-file", document)).toContain("ADOPT_COMPLETE");
    expect(await run("resources", "other", "--long")).toContain(resource_id);
  });
});
