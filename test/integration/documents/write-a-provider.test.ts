/**
 * Everything in docs/write-a-provider.md happens as it says. Its `sh` block starts the host that
 * the commands after it ask.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { type ServeProcess, startServe } from "../host/serve-process.ts";
import { commandsOf } from "./console-commands.ts";
import { type Block, blocksOf, fileNameOf } from "./document-blocks.ts";

const HEARTH = fileURLToPath(new URL("../../../cli/hearth.ts", import.meta.url));
const PAGE = new URL("../../../docs/write-a-provider.md", import.meta.url);
const EXAMPLE = new URL("../../../examples/provider/my-file.mjs", import.meta.url);
const PLUGIN = "my-file.mjs";

const blocks = blocksOf(readFileSync(PAGE, "utf8"));
const inLanguage = (word: string): readonly Block[] =>
  blocks.filter(({ language }) => language === word);
const consoles = inLanguage("console");
const [provider] = inLanguage("js");
const [serve] = inLanguage("sh");
const [template] = inLanguage("yaml");

describe("docs/write-a-provider.md", () => {
  let folder: string;
  let host: ServeProcess;
  beforeAll(async () => {
    folder = freshFolder();
    mkdirSync(join(folder, "bin"));
    const program = join(folder, "bin", "hearth");
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${HEARTH}" "$@"\n`);
    chmodSync(program, 0o755);
    writeFileSync(join(folder, PLUGIN), `${provider?.text}\n`);
    writeFileSync(join(folder, "file.yaml"), `${template?.text}\n`);
    const words = (serve?.text ?? "").split(" ").slice(2);
    const absolute = words.map((word) => (word.startsWith("./") ? join(folder, word) : word));
    host = await startServe("--memory", ...absolute);
  });
  afterAll(async () => {
    await host?.stop("SIGKILL");
    removeFolder(folder);
  });

  const run = async (command: string): Promise<string> => {
    const path = [join(folder, "bin"), process.env["PATH"]].join(delimiter);
    const env = { PATH: path, HEARTH_ENDPOINT: host.url };
    const shell = spawn("bash", ["-c", command], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
    }
    await once(shell, "close");
    return `${shell.exitCode}\n${text}`.trimEnd();
  };

  it("has the example, and no block that nothing executes", () => {
    expect(`${provider?.text}\n`).toBe(readFileSync(EXAMPLE, "utf8"));
    expect(serve?.text).toBe(`hearth serve --plugin ./${PLUGIN}`);
    expect(template && fileNameOf(template)).toBe("file.yaml");
    expect(consoles.length).toBe(3);
    expect(blocks.length).toBe(consoles.length + 3);
  });

  it.each(consoles.map((block) => ({ title: `line ${block.line}`, block })))(
    "prints what it says: $title",
    async ({ block }) => {
      for (const { text, printed } of commandsOf(block, null)) {
        expect([text, await run(text)]).toEqual([text, `0\n${printed}`.trimEnd()]);
      }
    },
  );
});
