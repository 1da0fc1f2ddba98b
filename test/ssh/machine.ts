import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const BOOT = fileURLToPath(new URL("./boot.sh", import.meta.url));
const NAMESPACES = ["--mount", "--cgroup", "--ipc", "--uts", "--propagation=private"] as const;
/** Debian's packages may have to be installed first. */
const BOOT_MS_MAX = 180_000;
const PAUSE_MS = 100;

export const SHARED = "/srv/hearth-test";

export interface Machine {
  readonly port: number;
  readonly hostKey: string;
  readonly keyFile: string;
  readonly enter: readonly string[];
  run(command: string): string;
  /**
   * Every file that differs from the beginning, with its rights and a digest of its content, and
   * every package.
   */
  files(): readonly string[];
  readonly shared: string;
  reboot(): Promise<void>;
  stop(): Promise<void>;
}

export const whyNoMachine = (): string | null => {
  if (process.getuid?.() !== 0) return "a machine needs root";
  const probe = spawnSync("unshare", [...NAMESPACES, "mount", "-t", "tmpfs", "probe", "/mnt"], {
    encoding: "utf8",
  });
  if (probe.status !== 0) return `no namespaces can be made: ${probe.stderr?.trim()}`;
  return existsSync("/usr/bin/apt-get") ? null : "a machine needs Debian's packages";
};

export const makeKey = (file: string): string => {
  spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", file]);
  return readFileSync(`${file}.pub`, "utf8").trim();
};

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (found: boolean) => {
      socket.destroy();
      resolve(found);
    };
    socket.once("data", () => end(true));
    socket.once("error", () => end(false));
  });

const until = async (holds: () => Promise<boolean>, isOver: () => boolean): Promise<void> => {
  const end = Date.now() + BOOT_MS_MAX;
  while (!(await holds())) {
    if (isOver() || Date.now() > end) throw new Error("the machine does not boot");
    await pause(PAUSE_MS);
  }
};

const childOf = (pid: number | string | undefined): string => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  } catch {
    return "";
  }
};

/** What systemd, apt and engines write by themselves. `files` lists packages separately. */
const VOLATILE =
  /^(var\/lib\/(systemd|containers|cni|dpkg|apt)|var\/cache|var\/log|etc\/machine-id)[/ ]/;

/** A lower folder is copied into the upper layer when something in it changes. */
const isCopied = (line: string): boolean => {
  const [path = "", , , kind] = line.split(" ");
  return kind === "d" && existsSync(`/${path}`);
};

/** Each line begins with a path. One program digests all files, because there are hundreds. */
const LISTING = `find . -mindepth 1 -printf '%P %m %u:%g %y %l\\n'
find . -type f -exec sha256sum {} + | sed 's|^\\([0-9a-f]*\\)  \\./\\(.*\\)|\\2 \\1|'`;

export const startMachine = async (
  folder: string,
  port: number,
  address = "",
): Promise<Machine> => {
  const [place, keys] = [join(folder, "machine"), join(folder, "keys")];
  for (const one of [place, keys]) mkdirSync(one, { recursive: true });
  const hostKey = makeKey(join(keys, "host_key"));
  const keyFile = join(keys, "root_key");
  makeKey(keyFile);
  spawnSync("cp", [`${keyFile}.pub`, join(keys, "authorized_keys")]);
  const words = [...NAMESPACES, "sh", BOOT, place, process.execPath, String(port), keys, address];
  // The machine dies with this process, even if this process is killed.
  const bound = ["--pdeathsig", "KILL", "unshare", ...words];
  const child = spawn("setpriv", bound, { stdio: ["ignore", "ignore", "inherit"] });
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  process.on("exit", () => child.kill("SIGKILL"));
  const isUp = () => answers(port);
  await until(isUp, isOver);
  // The booting shell starts `unshare`, which starts the machine's first process. A reboot creates
  // new ones.
  const first = () => childOf(childOf(child.pid));
  const inside = () =>
    ["nsenter", "-t", first(), "-m", "-p", "-u", "-i", "-C", "-r", "-w", "sh", "-c"] as const;
  const beside = ["nsenter", "-t", String(child.pid), "-m", "sh", "-c"] as const;
  const output = ([program, ...words]: readonly [string, ...string[]], command: string): string => {
    const { stdout, stderr } = spawnSync(program, [...words, command], { encoding: "utf8" });
    return `${stdout}${stderr}`.trimEnd();
  };
  return {
    port,
    hostKey,
    keyFile,
    shared: keys,
    enter: inside(),
    run: (command) => output(inside(), command),
    files: () => {
      const packages = output(inside(), `dpkg-query -W -f '\${Package} \${Status} \${Version}\\n'`);
      return output(beside, `cd '${place}/upper' && ${LISTING}`)
        .split("\n")
        .filter((line) => !VOLATILE.test(line) && !isCopied(line))
        .concat(packages.split("\n"))
        .sort();
    },
    reboot: async () => {
      const former = first();
      output(inside(), "systemctl reboot 2> /dev/null");
      await until(async () => first() !== former && (await isUp()), isOver);
    },
    stop: async () => {
      if (isOver()) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
};
