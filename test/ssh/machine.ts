/** A real machine for tests: systemd as the first process, and a real sshd, in namespaces. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const BOOT = fileURLToPath(new URL("./boot.sh", import.meta.url));
const NAMESPACES = [
  "--mount",
  "--pid",
  "--cgroup",
  "--ipc",
  "--uts",
  "--fork",
  "--kill-child",
  "--propagation=private",
] as const;
/** Debian's packages may have to be installed. */
const BOOT_MS_MAX = 180_000;
const PAUSE_MS = 100;

export interface Machine {
  readonly port: number;
  /** The public host key, as a line. */
  readonly hostKey: string;
  /** The private key that root may use. */
  readonly keyFile: string;
  /** The words of a program that runs a shell command there, which follows them. */
  readonly enter: readonly string[];
  /** Runs a shell command there, without SSH. Returns what it prints. */
  run(command: string): string;
  /**
   * Every file that differs from the first moment, with its rights and a digest of its content,
   * and every package.
   */
  files(): readonly string[];
  stop(): Promise<void>;
}

/** Null: machines can run here. */
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

const untilAnswers = async (port: number, isOver: () => boolean): Promise<void> => {
  const end = Date.now() + BOOT_MS_MAX;
  while (!(await answers(port))) {
    if (isOver() || Date.now() > end) throw new Error("the machine does not boot");
    await pause(PAUSE_MS);
  }
};

/** What systemd and apt note by themselves. The packages are listed besides. */
const VOLATILE =
  /^(var\/lib\/(systemd|containers|dpkg|apt)|var\/cache|var\/log|etc\/machine-id)[/ ]/;

/** A folder of this machine is copied when something in it changes. */
const isCopied = (line: string): boolean => {
  const [path = "", , , kind] = line.split(" ");
  return kind === "d" && existsSync(`/${path}`);
};

const LISTING =
  'find . -mindepth 1 \\( -type f -printf "%P %m %u:%g " -exec sh -c "sha256sum < \\"\\$1\\"" - {} \\; \\) -o -printf "%P %m %u:%g %y %l\\n"';

export const startMachine = async (folder: string, port: number): Promise<Machine> => {
  const [place, keys] = [join(folder, "machine"), join(folder, "keys")];
  for (const one of [place, keys]) mkdirSync(one, { recursive: true });
  const hostKey = makeKey(join(keys, "host_key"));
  const keyFile = join(keys, "root_key");
  makeKey(keyFile);
  spawnSync("cp", [`${keyFile}.pub`, join(keys, "authorized_keys")]);
  const words = [...NAMESPACES, "sh", BOOT, place, process.execPath, String(port), keys];
  // It ends with this process, whatever ends that.
  const bound = ["--pdeathsig", "KILL", "unshare", ...words];
  const child = spawn("setpriv", bound, { stdio: ["ignore", "ignore", "inherit"] });
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  process.on("exit", () => child.kill("SIGKILL"));
  await untilAnswers(port, isOver);
  const first = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim();
  const wordsOf = (...options: readonly string[]) =>
    ["nsenter", "-t", first, "-m", "-p", "-u", "-i", "-C", ...options, "sh", "-c"] as const;
  const output = ([program, ...words]: ReturnType<typeof wordsOf>, command: string): string => {
    const { stdout, stderr } = spawnSync(program, [...words, command], { encoding: "utf8" });
    return `${stdout}${stderr}`.trimEnd();
  };
  const inside = wordsOf("-r", "-w");
  return {
    port,
    hostKey,
    keyFile,
    enter: inside,
    run: (command) => output(inside, command),
    files: () => {
      const packages = output(inside, `dpkg-query -W -f '\${Package} \${Status} \${Version}\\n'`);
      return output(wordsOf(), `cd '${place}/upper' && ${LISTING}`)
        .split("\n")
        .filter((line) => !VOLATILE.test(line) && !isCopied(line))
        .concat(packages.split("\n"))
        .sort();
    },
    stop: async () => {
      if (isOver()) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
};
