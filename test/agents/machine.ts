/**
 * A machine in one process: it boots, runs its user data as cloud-init does, and then its agent.
 * Boot failures are real ones: the process is killed, or it has no network.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { certificates } from "./certificates.ts";
import { bootstrap } from "./commands.ts";
import { agentArguments } from "./own-agent.ts";
import { killedAtExit, killGroup } from "./process-groups.ts";
import type { Rig } from "./rig.ts";

export interface Machine {
  readonly root: string;
  readonly ended: Promise<string>;
  isRunning(): boolean;
  kill(): Promise<void>;
  log(): string;
}

export interface MachineOptions {
  readonly boot?: string;
  readonly isCutOff?: boolean;
  readonly userData?: (script: string) => string;
  readonly programs?: Readonly<Record<string, string>>;
  readonly hasService?: boolean;
}

export const bootMachine = async (
  rig: Rig,
  stack: string,
  name: string,
  options: MachineOptions = {},
): Promise<Machine> => {
  const { boot = ":", userData = (script) => script, programs = {}, hasService = true } = options;
  const root = join(rig.folder, name);
  for (const folder of [root, join(root, "bin")]) mkdirSync(folder, { mode: 0o700 });
  for (const [program, text] of Object.entries(programs)) {
    writeFileSync(join(root, "bin", program), text, { mode: 0o755 });
  }
  const script = userData(await bootstrap(rig, "script", { stack }));
  writeFileSync(join(root, "user-data"), script, { mode: 0o600 });
  const agent = agentArguments(root, join(root, "var/lib/hearth-agent"), rig.agentPace);
  writeFileSync(join(root, "boot"), bootText(root, boot, hasService ? agent : null));
  return powerOn(root, options.isCutOff === true);
};

/**
 * As with cloud-init, the machine runs on if its user data fails. If `agent` is null, no agent
 * starts.
 */
const bootText = (root: string, boot: string, agent: readonly string[] | null): string => {
  const words = [process.execPath, ...(agent ?? [])].map((word) => `'${word}'`).join(" ");
  const service =
    agent === null ? ":" : `[ -e '${root}/opt/hearth/hearth-agent.mjs' ] && exec ${words}`;
  return [
    boot,
    `BOOTS=yes DESTDIR='${root}' sh '${root}/user-data'`,
    service,
    "exec sleep infinity\n",
  ].join("\n");
};

const powerOn = (root: string, isCutOff: boolean): Machine => {
  const console = join(root, "console.log");
  const log = openSync(console, "a");
  const isolation = isCutOff ? CUT_OFF : [];
  const [program, ...words] = [...isolation, "sh", join(root, "boot")];
  const child = killedAtExit(
    spawn(program ?? "sh", words, {
      cwd: root,
      detached: true,
      stdio: ["ignore", log, log],
      env: {
        PATH: `${join(root, "bin")}:${process.env["PATH"] ?? ""}`,
        HOME: root,
        ...certificates(),
      },
    }),
  );
  const ended = new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  return {
    root,
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    kill: () => killGroup(child),
    log: () => readFileSync(console, "utf8"),
  };
};

const CUT_OFF = ["unshare", "--map-root-user", "--net"] as const;

/** Some systems do not allow ordinary users to create network namespaces. */
export const canCutOff = (): boolean => {
  const [program, ...words] = CUT_OFF;
  return spawnSync(program, [...words, "true"]).status === 0;
};
