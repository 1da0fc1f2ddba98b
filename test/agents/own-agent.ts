import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { certificates } from "./certificates.ts";
import { type Bootstrapped, bootstrap } from "./commands.ts";
import type { Rig } from "./rig.ts";

const run = promisify(execFile);

export interface OwnServer {
  readonly root: string;
  readonly folder: string;
  start(): void;
  /** Kills only the agent. A running script has its own group and survives. */
  kill(): Promise<void>;
  log(): string;
}

const running = new Set<ChildProcess>();

process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * Copies the named stock hooks into the agent's hooks folder. `server` is required if the stack has
 * several servers.
 */
export const openOwnServer = async (
  rig: Rig,
  stack: string,
  stockHooks: readonly string[],
  agent?: Bootstrapped["agent"],
  server?: string,
): Promise<OwnServer> => {
  const words = server === undefined ? [stack] : [stack, server];
  const root = join(rig.folder, ["own", ...words].join("-"));
  mkdirSync(root, { mode: 0o700 });
  await install(await bootstrap(rig, "line", { stack, server, agent }), root);
  for (const group of stockHooks) {
    const hook = join(rig.agents.hooks, `heat-config-${group}/install.d/hook-${group}.py`);
    cpSync(hook, join(root, "opt/hearth/hooks", group));
  }
  const folder = join(root, "var/lib/hearth-agent");
  const logFile = join(root, "agent.log");
  const state: { child?: ChildProcess } = {};
  return {
    root,
    folder,
    start: () => {
      const log = openSync(logFile, "a");
      const child = spawn(process.execPath, agentArguments(root, folder, rig.agentPace), {
        stdio: ["ignore", log, log],
        env: {
          PATH: `${rig.agents.bin}:${process.env["PATH"] ?? ""}`,
          HOME: folder,
          ...certificates(),
        },
      });
      running.add(child);
      child.once("exit", () => running.delete(child));
      state.child = child;
    },
    kill: async () => {
      const { child } = state;
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
    log: () => (existsSync(logFile) ? readFileSync(logFile, "utf8") : ""),
  };
};

/**
 * Stories wait for polls and reports, so they are more frequent than an owner's agent makes them.
 */
const QUICK_PACE = ["--interval-ms", "250", "--heartbeat-ms", "500", "--retry-ms", "5"];

export const agentArguments = (
  root: string,
  folder: string,
  pace: readonly string[] = QUICK_PACE,
): readonly string[] => {
  const place = ["--metadata-url-file", join(root, "etc/hearth-agent.url"), "--root", folder];
  const hooks = ["--hooks", join(root, "opt/hearth/hooks")];
  return [join(root, "opt/hearth/hearth-agent.mjs"), ...place, ...hooks, ...pace];
};

const install = async (printed: string, root: string): Promise<void> => {
  const line = printed.trim().replace(/sudo sh$/, `env BOOTS=yes DESTDIR='${root}' sh`);
  await run("sh", ["-c", line], { env: { ...process.env, ...certificates() } });
};
