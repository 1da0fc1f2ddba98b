/**
 * The contract kit over HTTP: with a module that is served in Node, and with the example in Python.
 * The example's process is killed where the kit asks for a crash. Broken variants fail what they
 * break.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectProvider } from "#provider/http/remote-provider.ts";
import { type ServedProvider, serveProvider } from "#provider/http/serve-provider.ts";
import { wireCases } from "#provider/http/wire-cases.ts";
import { type CaseResult, checkProvider } from "#provider/kit/check-provider.ts";
import type { Provider } from "#provider/provider.ts";
import { readProvider } from "#provider/read-provider.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { hearth } from "../cli/hearth-process.ts";

const exampleAt = (name: string): string =>
  fileURLToPath(new URL(`../../../examples/provider/${name}`, import.meta.url));
const MODULE = exampleAt("my-file.mjs");
const PROGRAM = exampleAt("my_file.py");
const SECRET = "the secret of this test, which is long enough";
const NOT_PLAYED = [
  "cancel",
  "repair",
  "suspend and resume",
  "suspend of what is gone",
  "snapshot",
];
const CASES = 20;

let folder: string;
const ends: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  folder = freshFolder();
  mkdirSync(join(folder, "files"));
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  removeFolder(folder);
});

const path = (name: string): string => join(folder, "files", name);

const play = (url: string, load: () => Promise<Provider>): Promise<readonly CaseResult[]> =>
  checkProvider({
    load,
    type: "My::File",
    properties: { path: path("a"), content: "one" },
    changed: { path: path("a"), content: "two" },
    replacement: { path: path("b"), content: "new" },
    failing: { path: join(folder, "no-folder/a"), content: "" },
    moreCases: wireCases({ url, secret: SECRET }),
  });

const failedIn = (results: readonly CaseResult[]): readonly string[] =>
  results.filter(({ verdict }) => verdict === "failed").map(({ name }) => name);

const moduleProvider = async (): Promise<Provider> => readProvider((await import(MODULE)).default);

const serveModule = async (): Promise<ServedProvider> => {
  const served = await serveProvider(await moduleProvider(), { port: 0, secrets: [SECRET] });
  ends.push(served.close);
  return served;
};

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
};

const programWith = (...changes: readonly (readonly [string, string])[]): string => {
  const text = changes.reduce(
    (now, [from, to]) => {
      if (!now.includes(from)) throw new Error(`the example has no ${from}`);
      return now.replace(from, to);
    },
    readFileSync(PROGRAM, "utf8"),
  );
  const file = join(folder, "my_file.py");
  writeFileSync(file, text);
  return file;
};

const startPython = async (program: string, port: string): Promise<[ChildProcess, string]> => {
  const secretFile = join(folder, "secret");
  writeFileSync(secretFile, `${SECRET}\n`);
  const words = [program, port, secretFile];
  const child = spawn("python3", words, { stdio: ["ignore", "pipe", "inherit"] });
  ends.push(() => stop(child));
  const [url] = await once(createInterface({ input: child.stdout }), "line");
  return [child, String(url)];
};

const playPython = async (program: string): Promise<readonly CaseResult[]> => {
  const [, url] = await startPython(program, "0");
  return play(url, () => connectProvider({ url, secret: SECRET }));
};

/** Each load but the first ends the process, and starts another one at the same port. */
const crashPython = async (program: string): Promise<readonly CaseResult[]> => {
  let [child, url] = await startPython(program, "0");
  const { port } = new URL(url);
  let loads = 0;
  return play(url, async () => {
    loads += 1;
    if (loads > 1) {
      await stop(child);
      [child, url] = await startPython(program, port);
    }
    return connectProvider({ url, secret: SECRET });
  });
};

describe("a server", () => {
  it.each([
    ["without a secret", "[]", "secrets: must have at least one secret"],
    [
      "with a secret that is none",
      `["${SECRET}", null]`,
      "secrets.1: must be a text of at least 32",
    ],
    ["with a secret that is too short", '["0123"]', "secrets.0: must be a text of at least 32"],
  ])("%s does not start, and says why", async (_name, text, why) => {
    const options = { port: 0, secrets: JSON.parse(text) };
    await expect(serveProvider(await moduleProvider(), options)).rejects.toThrow(why);
  });
});

describe("a module that is served", () => {
  it("keeps each promise, and leaves nothing behind", async () => {
    const { url } = await serveModule();
    const results = await play(url, () => connectProvider({ url, secret: SECRET }));
    expect(failedIn(results)).toEqual([]);
    const left = results.filter(({ verdict }) => verdict !== "passed").map(({ name }) => name);
    expect([left, results.length]).toEqual([NOT_PLAYED, CASES]);
    expect(readdirSync(join(folder, "files"))).toEqual([]);
  });

  it("says the same about itself as the module", async () => {
    const { url } = await serveModule();
    const remote = await connectProvider({ url, secret: SECRET });
    const data = (provider: Provider): unknown => JSON.parse(JSON.stringify(provider));
    const names = ({ types }: Provider) => Object.keys(types["My::File"] ?? {}).toSorted();
    const local = await moduleProvider();
    expect(data(remote)).toEqual(data(local));
    expect(names(remote)).toEqual(names(local));
  });

  it("passes by the command line, which needs its secret", async () => {
    const { url } = await serveModule();
    const secrets = join(folder, "secrets.json");
    writeFileSync(secrets, JSON.stringify({ [url]: SECRET }), { mode: 0o600 });
    const properties = JSON.stringify({ path: path("a") });
    const check = ["provider", "check", url, "--properties", properties];
    const { code, stdout, stderr } = await hearth("", ...check, "--plugin-secrets", secrets);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^pass {2}replay: a request that came twice was done once$/m);
    expect(stdout).toMatch(/My::File: 14 passed, 0 failed, 6 not played\n$/);
    expect(await hearth("", ...check)).toEqual({
      code: 2,
      stdout: "",
      stderr: `ERROR: The plug-in ${url} cannot be used: it has no secret. Name a file with --plugin-secrets that has one.\n`,
    });
  });
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;

describe.runIf(hasPython)("the example in Python", () => {
  it("keeps each promise, and survives its crashes", async () => {
    const results = await crashPython(programWith());
    expect(failedIn(results)).toEqual([]);
    const left = results.filter(({ verdict }) => verdict !== "passed").map(({ name }) => name);
    expect([left, results.length]).toEqual([NOT_PLAYED, CASES]);
    expect(readdirSync(join(folder, "files"))).toEqual([]);
  });

  const broken: readonly [string, readonly [string, string], readonly string[]][] = [
    [
      "does not look at signatures",
      ["if not hmac.compare_digest(wanted.encode(), given):", "if False:"],
      ["signature"],
    ],
    ["takes old requests", ["abs(now - int(sent)) > CLOCK_MS_MAX", "False"], ["signature"]],
    [
      "takes a request twice",
      ["if sent <= self.times.get(token, (0, 0))[0]:", "if False:"],
      ["replay"],
    ],
    ["reads any body", ["if length > BODY_BYTES_MAX:", "if False:"], ["large body"]],
    ["does not look at the path", ['raise Refused(404, "not_found")', "pass"], ["wrong request"]],
    [
      "makes another object for a repeated token",
      [
        'return write(properties["path"], properties["content"])',
        'return write(f\'{properties["path"]}-{time.time()}\', properties["content"])',
      ],
      ["crash after the effect", "duplicate token", "cut connection"],
    ],
  ];
  it.each(broken)("fails in a variant that %s", async (_what, change, cases) => {
    expect(failedIn(await playPython(programWith(change)))).toEqual(cases);
  });
});
