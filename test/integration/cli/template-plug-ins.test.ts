import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedProvider, serveProvider } from "#provider/http/serve-provider.ts";
import { readProvider } from "#provider/read-provider.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { type Ended, hearth } from "./hearth-process.ts";

const EXAMPLE = fileURLToPath(new URL("../../../examples/provider/my-file.mjs", import.meta.url));
const SECRET = "the secret of this test, which is long enough";
const NO_HOST = "http://127.0.0.1:2";

let folder: string;
let served: ServedProvider;
let options: Readonly<Record<"file" | "URL", readonly string[]>>;
beforeAll(async () => {
  folder = freshFolder();
  const provider = readProvider((await import(EXAMPLE)).default);
  served = await serveProvider(provider, { port: 0, secrets: [SECRET] });
  const secrets = join(folder, "secrets.json");
  writeFileSync(secrets, JSON.stringify({ [served.url]: SECRET }), { mode: 0o600 });
  options = {
    file: ["--plugin", EXAMPLE],
    URL: ["--plugin", served.url, "--plugin-secrets", secrets],
  };
});
afterAll(async () => {
  await served.close();
  removeFolder(folder);
});

const template = (property: string): string => {
  const file = join(folder, `${property}.yaml`);
  writeFileSync(
    file,
    `heat_template_version: 2021-04-16
resources:
  greeting:
    type: My::File
    properties: { path: /a, ${property}: Hello }
`,
  );
  return file;
};

const run = (...words: readonly string[]): Promise<Ended> => hearth(NO_HOST, "template", ...words);

describe.each(["file", "URL"] as const)("a plug-in that is a %s", (kind) => {
  it("gives validate its schemas", async () => {
    expect(await run("validate", template("content"), ...options[kind])).toEqual({
      code: 0,
      stdout: "The template is valid.\n",
      stderr: "",
    });
  });

  it("gives validate the names of its properties", async () => {
    const wrong = await run("validate", template("contents"), ...options[kind]);
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toContain('Unknown Property contents. Did you mean "content"?');
  });

  it("gives assess its types", async () => {
    const assessed = await run("assess", template("content"), ...options[kind]);
    expect([assessed.code, assessed.stderr]).toEqual([0, ""]);
    expect(assessed.stdout).toMatch(/greeting +My::File +runs\n/);
  });
});

describe("without its plug-in", () => {
  it("assess says that there is no such type", async () => {
    const { code, stdout } = await run("assess", template("content"));
    expect(code).toBe(1);
    expect(stdout).toContain("No such type. Map My::File to a template");
  });

  it("a plug-in that cannot be used is wrong usage", async () => {
    const { code, stderr } = await run("validate", template("content"), "--plugin", "./none.mjs");
    expect(code).toBe(2);
    expect(stderr).toContain("The plug-in ./none.mjs cannot be used: there is no such file.");
  });
});
