import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Engine, isSuccess, openEngine } from "#providers/docker/engine/client.ts";

export const ENGINE_KINDS = ["docker", "podman"] as const;
export type EngineKind = (typeof ENGINE_KINDS)[number];

const LOOKS_MAX = 300;
const LOOK_MS = 100;
/** The machine of a lane may be busy. */
const CALL_MS_MAX = 120_000;
/**
 * The page's host listens here for agents. It is the address of Docker's bridge; Podman has no such
 * bridge.
 */
export const BRIDGE_ADDRESS = "172.17.0.1";

export interface RunningEngine {
  readonly engine: Engine;
  readonly socketPath: string;
  restart(): Promise<void>;
  stop(): void;
}

interface Starter {
  prepare(place: string): void;
  start(place: string, socketPath: string, log: number): ChildProcess;
}

const run = (program: string, ...words: readonly string[]): void => {
  const { status, stderr } = spawnSync(program, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${words.join(" ")}: ${stderr}`);
};

/** Hides the state of the machine's own engines. */
const hide = (...folders: readonly string[]): void => {
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true });
    run("mount", "-t", "tmpfs", "hidden", folder);
  }
};

const startDockerd: Starter["start"] = (place, socketPath, log) => {
  const words = `--data-root ${place}/data --exec-root ${place}/exec -p ${place}/pid`;
  const all = [...words.split(" "), "-H", `unix://${socketPath}`, "--storage-driver", "overlay2"];
  return spawn("dockerd", all, { stdio: ["ignore", log, log] });
};

/** crun may not raise limits here, so it gets lower ones and no control groups. */
const CONTAINERS_CONF = (place: string): string => `[containers]
cgroups = "disabled"
default_ulimits = ["nofile=20000:20000", "nproc=30000:30000"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_config_dir = "${place}/networks"
`;

const configuration = (place: string) => ({
  conf: join(place, "containers.conf"),
  storage: join(place, "storage.conf"),
});

const preparePodman = (place: string): void => {
  hide("/run/containers", "/var/lib/cni");
  // crun refuses to run with both versions of control groups.
  run("umount", "-R", "/sys/fs/cgroup");
  run("mount", "-t", "cgroup2", "none", "/sys/fs/cgroup");
  run("ip", "link", "add", "hearth0", "type", "bridge");
  run("ip", "addr", "add", `${BRIDGE_ADDRESS}/32`, "dev", "hearth0");
  run("ip", "link", "set", "hearth0", "up");
  const { conf, storage } = configuration(place);
  writeFileSync(conf, CONTAINERS_CONF(place));
  const roots = `runroot="${place}/run"\ngraphroot="${place}/graph"`;
  writeFileSync(storage, `[storage]\ndriver="overlay"\n${roots}\n`);
};

const startPodman: Starter["start"] = (place, socketPath, log) => {
  const { conf, storage } = configuration(place);
  const env = { ...process.env, CONTAINERS_CONF: conf, CONTAINERS_STORAGE_CONF: storage };
  const words = ["system", "service", "--time", "0", `unix://${socketPath}`];
  return spawn("podman", words, { stdio: ["ignore", log, log], env });
};

const STARTERS: Readonly<Record<EngineKind, Starter>> = {
  docker: { prepare: () => hide("/run/containerd", "/run/docker"), start: startDockerd },
  podman: { prepare: preparePodman, start: startPodman },
};

const isUp = async (engine: Engine): Promise<boolean> =>
  engine.ask({ method: "GET", path: "/_ping" }).then(isSuccess, () => false);

export const startEngine = async (kind: EngineKind, folder: string): Promise<RunningEngine> => {
  run("ip", "link", "set", "lo", "up");
  const place = join(folder, kind);
  mkdirSync(place);
  const socketPath = join(place, "engine.sock");
  const logFile = join(place, "log");
  const { prepare, start } = STARTERS[kind];
  prepare(place);
  const engine = openEngine({ socketPath }, CALL_MS_MAX);
  const begin = async (): Promise<ChildProcess> => {
    const log = openSync(logFile, "a");
    const child = start(place, socketPath, log);
    closeSync(log);
    for (let look = 0; look < LOOKS_MAX && child.exitCode === null; look += 1) {
      if (await isUp(engine)) return child;
      await pause(LOOK_MS);
    }
    child.kill("SIGKILL");
    throw new Error(`${kind} does not start:\n${readFileSync(logFile, "utf8").slice(-2_000)}`);
  };
  let child = await begin();
  return {
    engine,
    socketPath,
    restart: async () => {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
      child = await begin();
    },
    stop: () => void child.kill("SIGTERM"),
  };
};
