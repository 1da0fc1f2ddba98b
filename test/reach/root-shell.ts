import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

export interface RootShell {
  run(command: string): Promise<string>;
  stop(): Promise<void>;
}

export const PATH = "/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin";

const running = new Set<ChildProcess>();

/** No shell survives this process, even if the run fails or is interrupted. */
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

type Shell = ChildProcessByStdio<Writable, Readable, null>;

export const openRootShell = (
  namespaces: readonly string[],
  start: string,
  variables: NodeJS.ProcessEnv,
): RootShell => {
  const isolation = [...namespaces, "--fork", "--kill-child"];
  const shell: Shell = spawn("unshare", [...isolation, "sh", "-c", start], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { PATH, ...variables },
  });
  running.add(shell);
  shell.once("exit", () => running.delete(shell));
  let listener: (line: string | null) => void = () => {};
  createInterface({ input: shell.stdout }).on("line", (line) => listener(line));
  shell.once("exit", () => listener(null));
  let ran = 0;
  return {
    run: (command) =>
      new Promise((resolve, reject) => {
        ran += 1;
        const mark = `--- ${ran} ended with`;
        const printed: string[] = [];
        listener = (line) => {
          if (line?.startsWith(mark) === false) return void printed.push(line);
          const text = printed.join("\n").trim();
          if (line === `${mark} 0`) resolve(text);
          else reject(new Error(`${command}: ${line ?? "the machine is gone"}: ${text}`));
        };
        shell.stdin.write(`( ${command}\n) < /dev/null 2>&1; printf '\\n%s %s\\n' '${mark}' $?\n`);
      }),
    stop: async () => {
      if (shell.exitCode !== null || shell.signalCode !== null) return;
      const ended = once(shell, "exit");
      shell.kill("SIGKILL");
      await ended;
    },
  };
};
