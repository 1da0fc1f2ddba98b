/** Everything in docs/run-on-docker.md happens as it says, on the engine at DOCKER_HOST. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandsOf } from "../integration/documents/console-commands.ts";
import { type Block, blocksOf, fileNameOf } from "../integration/documents/document-blocks.ts";
import { addProgram, runInShell } from "../integration/documents/page-shell.ts";
import { startServe } from "../integration/host/serve-process.ts";
import type { Result } from "./provider-play.ts";

const PAGE = new URL("../../docs/run-on-docker.md", import.meta.url);
const SERVE = "hearth serve ";

interface Shell {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

const output = async ({ folder, environment }: Shell, command: string): Promise<string> => {
  const { code, printed } = await runInShell(folder, environment, command);
  return `${code}\n${printed}`.replaceAll(/\s*\n+/g, "\n").trim();
};

const playBlock = async (shell: Shell, block: Block): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (const { text, printed } of commandsOf(block, null)) {
    const wanted = `0\n${printed}`.replaceAll(/\s*\n+/g, "\n").trim();
    const seen = await output(shell, text);
    const log = seen === wanted ? "" : await output(shell, "tail -n 5 log");
    const wrong = seen === wanted ? [] : [`it printed ${JSON.stringify(seen)}`, log];
    results.push({ name: `the page: ${text}`, wrong });
  }
  return results;
};

/** Writes its files. */
export const preparePage = (folder: string, blocks: readonly Block[]): void => {
  addProgram(folder);
  for (const block of blocks) {
    const name = fileNameOf(block);
    if (name !== null) writeFileSync(join(folder, name), `${block.text}\n`);
  }
};

/** Every command of its `console` blocks, with what it prints. */
export const playConsole = async (
  shell: Shell,
  blocks: readonly Block[],
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (const block of blocks.filter(({ language }) => language === "console")) {
    results.push(...(await playBlock(shell, block)));
  }
  return results;
};

export const playPage = async (socketPath: string, folder: string): Promise<readonly Result[]> => {
  const blocks = blocksOf(readFileSync(PAGE, "utf8"));
  preparePage(folder, blocks);
  const [serve] = blocks.filter(({ language }) => language === "sh");
  if (!serve?.text.startsWith(SERVE)) throw new Error("the page does not start a host");
  const dockerHost = `unix://${socketPath}`;
  process.env["DOCKER_HOST"] = dockerHost;
  const host = await startServe("--memory", ...serve.text.slice(SERVE.length).split(" "));
  try {
    const environment = { HEARTH_ENDPOINT: host.url, DOCKER_HOST: dockerHost, HOME: folder };
    return await playConsole({ folder, environment }, blocks);
  } finally {
    await host.stop("SIGTERM");
  }
};
