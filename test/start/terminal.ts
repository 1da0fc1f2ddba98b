import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { killedAtExit, signalGroup } from "../agents/process-groups.ts";
import type { Ended } from "../integration/documents/page-shell.ts";

const ENDED = "--- ended by itself";

export interface Terminal {
  run(command: string): Promise<Ended>;
  start(command: string, printed: RegExp): Promise<void>;
  close(): Promise<void>;
}

export const openTerminal = (folder: string, environment: NodeJS.ProcessEnv): Terminal => {
  const shell = killedAtExit(
    spawn("bash", ["--norc"], {
      cwd: folder,
      env: environment,
      stdio: ["pipe", "pipe", "inherit"],
      detached: true,
    }),
  );
  let listener: (line: string | null) => void = () => {};
  createInterface({ input: shell.stdout }).on("line", (line) => listener(line));
  shell.once("exit", () => listener(null));
  let typed = 0;
  return {
    run: (command) =>
      new Promise((resolve) => {
        typed += 1;
        const mark = `--- ${typed} ended with`;
        const lines: string[] = [];
        listener = (line) => {
          if (line?.startsWith(mark) === false) return void lines.push(line);
          const code = line === null ? null : Number(line.slice(mark.length));
          resolve({ code, printed: lines.join("\n").trimEnd() });
        };
        shell.stdin.write(`{ ${command}\n} 2>&1 < /dev/null; printf '\\n%s %s\\n' '${mark}' $?\n`);
      }),
    start: (command, printed) =>
      new Promise((resolve, reject) => {
        const lines: string[] = [];
        listener = (line) => {
          if (line === null || line === ENDED) {
            reject(new Error(`${command} has ended: ${lines.join("\n")}`));
          } else if (printed.test(line)) resolve();
          else lines.push(line);
        };
        // The shell reads the second line once the command has ended.
        shell.stdin.write(`${command} 2>&1\necho '${ENDED}'\n`);
      }),
    close: async () => {
      if (shell.exitCode !== null || shell.signalCode !== null) return;
      const ended = once(shell, "exit");
      shell.stdin.end();
      signalGroup(shell, "SIGINT");
      signalGroup(shell, "SIGTERM");
      await ended;
    },
  };
};
