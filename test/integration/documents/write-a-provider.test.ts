/** Plays docs/write-a-provider.md. Its `sh` block starts the host that the later commands ask. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { type ServeProcess, startServe } from "../host/serve-process.ts";
import { commandsOf } from "./console-commands.ts";
import { type Block, blocksOf, fileNameOf } from "./document-blocks.ts";
import { addProgram, runInShell } from "./page-shell.ts";

const PAGE = new URL("../../../docs/write-a-provider.md", import.meta.url);
const PROGRAM = new URL("../../../examples/provider/my_file.py", import.meta.url);
const WRAPPER = new URL("../../../providers/sdk/http/serve-provider.ts", import.meta.url);
const EXAMPLE = new URL("../../../examples/provider/my-file.mjs", import.meta.url);
const PLUGIN = "my-file.mjs";
/** The page's ports, which are replaced by free ones. */
const PORTS = ["8700", "8701"];
const SECRET = "the secret of this test, which is long enough";
const hasPython = spawnSync("python3", ["--version"]).status === 0;

const blocks = blocksOf(readFileSync(PAGE, "utf8"));
const inLanguage = (word: string): readonly Block[] =>
  blocks.filter(({ language }) => language === word);
const consoles = inLanguage("console");
const [provider, served] = inLanguage("js");
const [serve, program, serveRemote] = inLanguage("sh");
const [template] = inLanguage("yaml");

const LOCAL = 4;

const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  server.close();
  await once(server, "close");
  return String(typeof bound === "object" ? bound?.port : "");
};

describe("docs/write-a-provider.md", () => {
  let folder: string;
  let host: ServeProcess;
  let ports: readonly string[];
  const children: ChildProcess[] = [];
  const atFreePorts = (text: string): string =>
    PORTS.reduce((now, port, index) => now.replaceAll(port, ports[index] ?? port), text);
  const wordsOf = (block: Block | undefined): readonly string[] =>
    atFreePorts(block?.text ?? "")
      .split(" ")
      .map((word) => (/\.(mjs|py|json)$|^secret$/.test(word) ? join(folder, word) : word));
  const startProgram = async (...words: readonly string[]): Promise<string> => {
    const [command = "", ...rest] = words;
    const env = { PATH: process.env["PATH"], SECRET };
    const child = spawn(command, rest, { env, stdio: ["ignore", "pipe", "inherit"] });
    children.push(child);
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    return String(line);
  };

  beforeAll(async () => {
    folder = freshFolder();
    ports = [await freePort(), await freePort()];
    addProgram(folder);
    writeFileSync(join(folder, PLUGIN), `${provider?.text}\n`);
    writeFileSync(join(folder, "file.yaml"), `${template?.text}\n`);
    copyFileSync(PROGRAM, join(folder, "my_file.py"));
    host = await startServe("--memory", ...wordsOf(serve).slice(2));
  });
  afterAll(async () => {
    await host?.stop("SIGKILL");
    for (const child of children) child.kill("SIGKILL");
    removeFolder(folder);
  });

  const run = async (command: string): Promise<string> => {
    const { code, printed } = await runInShell(folder, { HEARTH_ENDPOINT: host.url }, command);
    return `${code}\n${printed}`.trimEnd();
  };

  it("has the example, and no block that nothing executes", () => {
    expect(`${provider?.text}\n`).toBe(readFileSync(EXAMPLE, "utf8"));
    expect(serve?.text).toBe(`hearth serve --plugin ./${PLUGIN}`);
    expect(program?.text).toMatch(/^python3 my_file\.py 8700 secret$/);
    expect(serveRemote?.text).toMatch(/^hearth serve --plugin http:.* --plugin-secrets \S+$/);
    expect(template && fileNameOf(template)).toBe("file.yaml");
    expect(consoles.length).toBe(6);
    expect(blocks.length).toBe(consoles.length + 6);
  });

  const printsAll = async (block: Block | undefined): Promise<void> => {
    if (block === undefined) throw new Error("the page has lost a block");
    for (const { text, printed } of commandsOf(block, null)) {
      const found = await run(atFreePorts(text));
      expect([text, found]).toEqual([text, `0\n${printed}`.trimEnd()]);
    }
  };

  it.each(consoles.slice(0, LOCAL).map((block) => ({ title: `line ${block.line}`, block })))(
    "prints what it says: $title",
    async ({ block }) => printsAll(block),
  );

  it.runIf(hasPython)("starts the server, checks it and uses it", async () => {
    const [secrets, kit] = consoles.slice(LOCAL);
    await printsAll(secrets);
    expect(await startProgram(...wordsOf(program))).toBe(`http://127.0.0.1:${ports[0]}`);
    await printsAll(kit);
    const other = await startServe("--memory", ...wordsOf(serveRemote).slice(2));
    const types = await fetch(`${other.url}/v1/demo/resource_types?name=My::File`);
    expect(await types.json()).toEqual({ resource_types: ["My::File"] });
    await other.stop("SIGKILL");
  });

  it("makes a server of the module", async () => {
    const text = atFreePorts(served?.text ?? "").replace("@hearth/provider/http", WRAPPER.href);
    expect(text).toContain(WRAPPER.href);
    const file = join(folder, "serve-my-file.mjs");
    writeFileSync(file, text);
    expect(await startProgram(process.execPath, file)).toBe(`http://127.0.0.1:${ports[1]}`);
  });
});
