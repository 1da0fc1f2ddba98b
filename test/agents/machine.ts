/**
 * A pretend machine, whose life is one process: it boots, runs what cloud-init would be given as user data, and then its
 * agent. What goes wrong before the agent goes wrong here as it would there: something ends it, or it has no network.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { certificates } from "./certificates.ts";
import { bootstrap } from "./commands.ts";
import { agentArguments } from "./own-agent.ts";
import { killGroup, minded } from "./process-groups.ts";
import type { Rig } from "./rig.ts";

export interface Machine {
  /** What stands for `/`. */
  readonly root: string;
  /** How it ended, as whoever runs the machine sees it: an exit code or a signal. */
  readonly ended: Promise<string>;
  isRunning(): boolean;
  /** As a power cut. */
  kill(): Promise<void>;
  /** Its console. */
  log(): string;
}

export interface MachineOptions {
  /** What it does before its user data, as a shell has it. */
  readonly boot?: string;
  /** It has no address but its loopback's. */
  readonly isCutOff?: boolean;
  /** What is changed of its user data on the way. */
  readonly userData?: (script: string) => string;
  /** Programs that it has in the place of the system's, by their names. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Whether the agent's service comes up. */
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
  writeFileSync(join(root, "boot"), bootText(root, boot, hasService));
  return powerOn(root, options.isCutOff === true);
};

/** cloud-init goes on where the user data failed; and a machine goes on where no agent runs. */
const bootText = (root: string, boot: string, hasService: boolean): string => {
  const agent = [process.execPath, ...agentArguments(root, join(root, "var/lib/hearth-agent"))];
  const words = agent.map((word) => `'${word}'`).join(" ");
  return [
    boot,
    `BOOTS=yes DESTDIR='${root}' sh '${root}/user-data'`,
    ...(hasService ? [`[ -e '${root}/opt/hearth/hearth-agent.mjs' ] && exec ${words}`] : []),
    "exec sleep infinity\n",
  ].join("\n");
};

const powerOn = (root: string, isCutOff: boolean): Machine => {
  const console = join(root, "console.log");
  const log = openSync(console, "a");
  const [program, ...words] = [...(isCutOff ? CUT_OFF : []), "sh", join(root, "boot")];
  const child = minded(
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

/** Some systems do not let ordinary users have network namespaces. */
export const canCutOff = (): boolean => {
  const [program, ...words] = CUT_OFF;
  return spawnSync(program, [...words, "true"]).status === 0;
};
