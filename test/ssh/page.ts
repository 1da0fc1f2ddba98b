import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "../contract/spoilt-operations.ts";
import { type ServeProcess, startServe } from "../integration/host/serve-process.ts";
import { playBlock, preparePage } from "../lanes/page-commands.ts";
import type { Machine } from "./machine.ts";

const PAGE = new URL("../../docs/run-on-machines.md", import.meta.url);
const SERVE = "hearth serve ";

/** The user's own way to the machine. Hearth uses a real SSH connection. */
const addSsh = (folder: string, { enter }: Machine): void => {
  const words = enter.map((word) => `'${word}'`).join(" ");
  const program = join(folder, "bin", "ssh");
  writeFileSync(program, `#!/bin/sh\nshift\nexec ${words} "cd /root; $*"\n`);
  chmodSync(program, 0o755);
};

/** The host is started when the page starts it, after the page has made its keys. */
export const playPage = async (machine: Machine, folder: string): Promise<readonly Result[]> => {
  const blocks = preparePage(PAGE, folder);
  addSsh(folder, machine);
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
      const environment = {
        HEARTH_ENDPOINT: host?.url ?? "",
        HOME: folder,
        MACHINE: "127.0.0.1",
        PORT: String(machine.port),
      };
      results.push(...(await playBlock({ folder, environment }, block)));
    }
  } finally {
    await host?.stop("SIGTERM");
  }
  return host === null
    ? [...results, { name: "the page starts a host", wrong: ["it does not"] }]
    : results;
};
