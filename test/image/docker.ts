/** A Docker of its own: its namespaces hold the bridges and mounts, and end with it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";

const DAEMON = "/usr/sbin/dockerd";
const CLIENT = "/usr/bin/docker";
/** A file system that is an overlay itself takes no other on it. */
const DRIVERS = ["overlay2", "vfs"] as const;
const LOOKS_MAX = 600;
const LOOK_MS = 100;
const OUTPUT_BYTES_MAX = 16_777_216;

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

export interface Docker {
  readonly driver: string;
  /** Standard output of a command that must succeed. */
  run(...words: readonly string[]): string;
  /** The end of a command that may fail; standard error is in its output. */
  attempt(...words: readonly string[]): Ended;
  stop(): Promise<void>;
}

/** Why there is no Docker here, or null. Debian's package is installed if it is missing. */
export const whyNoDocker = (): string | null => {
  if (process.getuid?.() !== 0) return "Docker needs root";
  if (existsSync(DAEMON) && existsSync(CLIENT)) return null;
  const words = ["install", "-y", "--no-install-recommends", "docker.io", "iproute2"];
  const { status } = spawnSync("apt-get", words, { stdio: "ignore" });
  return status === 0 && existsSync(DAEMON) ? null : "Debian's package docker.io is not to be had";
};

const attemptAt =
  (socket: string) =>
  (...words: readonly string[]): Ended => {
    const { status, stdout, stderr } = spawnSync(CLIENT, ["-H", socket, ...words], {
      encoding: "utf8",
      maxBuffer: OUTPUT_BYTES_MAX,
      // The old builder needs no plug-in.
      env: { ...process.env, DOCKER_BUILDKIT: "0" },
    });
    return { code: status, output: `${stdout}${stderr}` };
  };

export const startDocker = async (folder: string): Promise<Docker> => {
  for (const driver of DRIVERS) {
    const started = await startWith(join(folder, driver), driver);
    if (started !== null) return started;
  }
  throw new Error(`dockerd does not start:\n${readFileSync(join(folder, "vfs/log"), "utf8")}`);
};

const startWith = async (place: string, driver: string): Promise<Docker | null> => {
  mkdirSync(place);
  const socket = `unix://${place}/docker.sock`;
  const log = openSync(join(place, "log"), "w");
  const words = `--data-root ${place}/data --exec-root ${place}/exec -p ${place}/pid -H ${socket}`;
  const script = `ip link set lo up; exec ${DAEMON} ${words} --storage-driver ${driver} --bridge none --iptables=false`;
  const inside = ["--mount", "--net", "--propagation", "private", "sh", "-c", script];
  const daemon = spawn("unshare", inside, { stdio: ["ignore", log, log] });
  closeSync(log);
  const stop = async (): Promise<void> => {
    if (daemon.exitCode !== null || daemon.signalCode !== null) return;
    daemon.kill("SIGTERM");
    await once(daemon, "exit");
  };
  const attempt = attemptAt(socket);
  if (!(await isReady(daemon, attempt))) {
    await stop();
    return null;
  }
  const run = (...given: readonly string[]): string => {
    const { code, output } = attempt(...given);
    if (code !== 0) throw new Error(`docker ${given.slice(0, 3).join(" ")}: ${output}`);
    return output;
  };
  return { driver, run, attempt, stop };
};

const isReady = async (daemon: ChildProcess, attempt: Docker["attempt"]): Promise<boolean> => {
  for (let look = 0; look < LOOKS_MAX && daemon.exitCode === null; look += 1) {
    if (attempt("info").code === 0) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return false;
};
