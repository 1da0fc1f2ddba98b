/**
 * A Docker of its own: its namespaces contain the bridges and mounts, and end with this process.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DockerPrograms, ISOLATION } from "./docker-programs.ts";

/** An overlay cannot be mounted on a file system that is an overlay itself. */
const DRIVERS = ["overlay2", "vfs"] as const;
const LOOKS_MAX = 600;
const LOOK_MS = 100;
/** A signal cannot interrupt a command of the client, so each has a limit. */
const COMMAND_MS_MAX = 120_000;
const STOP_MS_MAX = 30_000;
const OUTPUT_BYTES_MAX = 16_777_216;

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

export interface Docker {
  readonly driver: string;
  run(...words: readonly string[]): string;
  attempt(...words: readonly string[]): Ended;
  stop(): Promise<void>;
}

/** The user's own settings could name another daemon, a proxy or a context. */
const environmentAt = (place: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("DOCKER_")),
  ),
  DOCKER_CONFIG: join(place, "client"),
  // The old builder needs no plug-in.
  DOCKER_BUILDKIT: "0",
});

const attemptAt =
  (client: string, socket: string, env: NodeJS.ProcessEnv) =>
  (...words: readonly string[]): Ended => {
    const { status, stdout, stderr, error } = spawnSync(client, ["-H", socket, ...words], {
      encoding: "utf8",
      maxBuffer: OUTPUT_BYTES_MAX,
      timeout: COMMAND_MS_MAX,
      killSignal: "SIGKILL",
      env,
    });
    const failure = error === undefined ? "" : error.message;
    return { code: status, output: `${stdout ?? ""}${stderr ?? ""}${failure}` };
  };

/**
 * The first process of the daemon's namespaces. The daemon must not find the containerd of another
 * Docker, which would run containers outside. It ends when this process closes the pipe or dies.
 */
const FIRST_PROCESS = `
for folder in /run/containerd /run/docker; do
  mkdir -p "$folder" && mount -t tmpfs hidden "$folder" || exit 1
done
ip link set lo up || exit 1
exec 3<&0
"$@" &
daemon=$!
(cat; kill -TERM $daemon; sleep 20; kill -KILL $daemon) <&3 &
wait $daemon
`;

export const startDocker = async (programs: DockerPrograms, folder: string): Promise<Docker> => {
  for (const driver of DRIVERS) {
    const started = await startWith(programs, join(folder, driver), driver);
    if (started !== null) return started;
  }
  throw new Error(`dockerd does not start:\n${readFileSync(join(folder, "vfs/log"), "utf8")}`);
};

const startWith = async (
  { daemon, client }: DockerPrograms,
  place: string,
  driver: string,
): Promise<Docker | null> => {
  mkdirSync(place);
  const socket = `unix://${place}/docker.sock`;
  const log = openSync(join(place, "log"), "w");
  const words = `--data-root ${place}/data --exec-root ${place}/exec -p ${place}/pid -H ${socket}`;
  const own = `--storage-driver ${driver} --bridge none --iptables=false`;
  const command = [daemon, ...words.split(" "), ...own.split(" ")];
  const program = [...ISOLATION, "sh", "-c", FIRST_PROCESS, "docker", ...command];
  const first = spawn("unshare", program, { stdio: ["pipe", log, log] });
  closeSync(log);
  const stop = async (): Promise<void> => {
    if (first.exitCode !== null || first.signalCode !== null) return;
    const timer = setTimeout(() => first.kill("SIGKILL"), STOP_MS_MAX);
    first.stdin?.end();
    await once(first, "exit").finally(() => clearTimeout(timer));
  };
  const attempt = attemptAt(client, socket, environmentAt(place));
  if (!(await isReady(first, attempt))) {
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

const isReady = async (first: ChildProcess, attempt: Docker["attempt"]): Promise<boolean> => {
  for (let look = 0; look < LOOKS_MAX && first.exitCode === null; look += 1) {
    if (attempt("info").code === 0) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return false;
};
