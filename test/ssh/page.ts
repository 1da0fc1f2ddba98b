/** Everything in docs/run-on-machines.md happens as it says, on a real machine. */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "../contract/spoilt-operations.ts";
import { commandsOf } from "../integration/documents/console-commands.ts";
import { type Block, blocksOf, fileNameOf } from "../integration/documents/document-blocks.ts";
import { addProgram, runInShell } from "../integration/documents/page-shell.ts";
import { type ServeProcess, startServe } from "../integration/host/serve-process.ts";
import type { Machine } from "./machine.ts";

const PAGE = new URL("../../docs/run-on-machines.md", import.meta.url);
const SERVE = "hearth serve ";

/** The user's own way to the machine. Hearth's is a real SSH. */
const addSsh = (folder: string, { enter }: Machine): void => {
  const words = enter.map((word) => `'${word}'`).join(" ");
  const program = join(folder, "bin", "ssh");
  writeFileSync(program, `#!/bin/sh\nshift\nexec ${words} "cd /root; $*"\n`);
  chmodSync(program, 0o755);
};

interface Shell {
  readonly folder: string;
  readonly machine: Machine;
  readonly host: ServeProcess | null;
}

const output = async ({ folder, machine, host }: Shell, command: string): Promise<string> => {
  const environment = {
    HEARTH_ENDPOINT: host?.url ?? "",
    HOME: folder,
    MACHINE: "127.0.0.1",
    PORT: String(machine.port),
  };
  const { code, printed } = await runInShell(folder, environment, command);
  return `${code}\n${printed}`.trim();
};

const playBlock = async (shell: Shell, block: Block): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (const { text, printed } of commandsOf(block, null)) {
    const wanted = `0\n${printed}`.trim();
    const seen = await output(shell, text);
    const log = seen === wanted ? "" : await output(shell, "tail -n 5 log");
    const wrong = seen === wanted ? [] : [`it printed ${JSON.stringify(seen)}`, log];
    results.push({ name: `the page: ${text}`, wrong });
  }
  return results;
};

/** The host starts where the page starts it, because its keys are made before. */
export const playPage = async (machine: Machine, folder: string): Promise<readonly Result[]> => {
  const blocks = blocksOf(readFileSync(PAGE, "utf8"));
  addProgram(folder);
  addSsh(folder, machine);
  for (const block of blocks) {
    const name = fileNameOf(block);
    if (name !== null) writeFileSync(join(folder, name), `${block.text}\n`);
  }
  const results: Result[] = [];
  let host: ServeProcess | null = null;
  try {
    for (const block of blocks) {
      if (block.language === "sh" && block.text.startsWith(SERVE)) {
        const words = block.text.slice(SERVE.length).split(" ");
        host = await startServe(
          "--memory",
          ...words.map((word) => (word.endsWith(".yaml") ? join(folder, word) : word)),
        );
      }
      if (block.language !== "console") continue;
      results.push(...(await playBlock({ folder, machine, host }, block)));
    }
  } finally {
    await host?.stop("SIGTERM");
  }
  return host === null
    ? [...results, { name: "the page starts a host", wrong: ["it does not"] }]
    : results;
};
