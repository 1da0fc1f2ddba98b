import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "../contract/spoilt-operations.ts";
import { commandsOf } from "../integration/documents/console-commands.ts";
import { type Block, blocksOf, fileNameOf } from "../integration/documents/document-blocks.ts";
import { addProgram, runInShell } from "../integration/documents/page-shell.ts";

export interface PageShell {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

export const preparePage = (page: URL, folder: string): readonly Block[] => {
  const blocks = blocksOf(readFileSync(page, "utf8"));
  addProgram(folder);
  for (const block of blocks) {
    const name = fileNameOf(block);
    if (name !== null) writeFileSync(join(folder, name), `${block.text}\n`);
  }
  return blocks;
};

export const wordsAfter = (blocks: readonly Block[], command: string): readonly string[] => {
  const [serve] = blocks.filter(({ language }) => language === "sh");
  if (!serve?.text.startsWith(command)) throw new Error("the page does not start a host");
  return serve.text.slice(command.length).split(" ");
};

const asLines = (text: string): string => text.replaceAll(/\s*\n+/g, "\n").trim();

const output = async ({ folder, environment }: PageShell, command: string): Promise<string> => {
  const { code, printed } = await runInShell(folder, environment, command);
  return asLines(`${code}\n${printed}`);
};

export const playBlock = async (shell: PageShell, block: Block): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (const { text, printed } of commandsOf(block, null)) {
    const wanted = asLines(`0\n${printed}`);
    const seen = await output(shell, text);
    const log = seen === wanted ? "" : await output(shell, "tail -n 5 log");
    const wrong = seen === wanted ? [] : [`it printed ${JSON.stringify(seen)}`, log];
    results.push({ name: `the page: ${text}`, wrong });
  }
  return results;
};

export const playCommands = async (
  shell: PageShell,
  blocks: readonly Block[],
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (const block of blocks.filter(({ language }) => language === "console")) {
    results.push(...(await playBlock(shell, block)));
  }
  return results;
};
