import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { COMPILED, HEARTH } from "../../hearth-program.ts";

export interface Ended {
  readonly code: number | null;
  /** Both streams, as a terminal shows them, without the last line break. */
  readonly printed: string;
}

export const addProgram = (folder: string): void => {
  mkdirSync(join(folder, "bin"), { recursive: true });
  const program = join(folder, "bin", "hearth");
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${HEARTH}" "$@"\n`);
  chmodSync(program, 0o755);
};

/** The command gets only `environment`, and where programs and compiled code are. */
export const runInShell = async (
  folder: string,
  environment: Readonly<Record<string, string>>,
  command: string,
): Promise<Ended> => {
  const path = [join(folder, "bin"), process.env["PATH"]].join(delimiter);
  const shell = spawn("bash", ["-c", command], {
    cwd: folder,
    env: { PATH: path, ...COMPILED, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding("utf8").on("data", (part) => {
      text += part;
    });
  }
  await once(shell, "close");
  return { code: shell.exitCode, printed: text.trimEnd() };
};
