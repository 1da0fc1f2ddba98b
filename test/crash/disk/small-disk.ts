/**
 * A file system of 16 MB as a host's data folder, in a mount namespace of its own. It disappears
 * with this process however that ends: its holder reads a pipe from here, and the host is killed
 * too.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const MAKERS = {
  memory: `mount -t tmpfs -o size=16m,mode=700 hearth "$1"`,
  /** Like many systems, this one is mounted read-only after an error of the file system. */
  image: `truncate -s 16M "$2" && mkfs.ext4 -q -F "$2" &&
    mount -o loop,errors=remount-ro "$2" "$1" && rmdir "$1/lost+found"`,
} as const;
type Kind = keyof typeof MAKERS;

/** Further rights that a story needs and a container may not have. */
const RIGHTS = {
  memory: "true",
  image: `touch "$1/probe" && chattr +i "$1/probe" && chattr -i "$1/probe" && test -w /sys/fs/ext4`,
} as const;

/** The pipe closes when this process ends, and `cat` ends with it. */
const HOLD = "echo ready && exec cat";
const COMMANDS = {
  memory: ["unshare", "nsenter", "setpriv", "mount"],
  image: ["unshare", "nsenter", "setpriv", "mount", "mkfs.ext4", "findmnt", "chattr"],
} as const;
const COMMAND_MS_MAX = 20_000;

export interface SmallDisk {
  /**
   * The folder that contains `data`. It is on the disk of this process, so the host's log has room.
   */
  readonly folder: string;
  /** The words before a command that runs on the small disk. The command ends with this process. */
  readonly place: readonly string[];
  run(command: string): Promise<string>;
  close(): Promise<void>;
}

const has = (program: string): boolean =>
  spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

/** @returns null if this machine can make such a file system, otherwise why it cannot. */
export const whyNoSmallDisk = (kind: Kind, folder: string): string | null => {
  if (process.getuid?.() !== 0) return "a mount needs root";
  for (const command of COMMANDS[kind]) if (!has(command)) return `there is no ${command} command`;
  const words = placesIn(folder);
  const probe = ["--mount", "sh", "-ec", `${MAKERS[kind]}\n${RIGHTS[kind]}`, "sh", ...words];
  const { status, stderr } = spawnSync("unshare", probe, { encoding: "utf8" });
  return status === 0 ? null : stderr.trim() || "a right is missing";
};

const placesIn = (folder: string): readonly [string, string] => {
  const data = join(folder, "data");
  mkdirSync(data, { recursive: true });
  return [data, join(folder, "image")];
};

export const openSmallDisk = async (kind: Kind, folder: string): Promise<SmallDisk> => {
  const places = placesIn(folder);
  const words = ["--mount", "sh", "-ec", `${MAKERS[kind]}\n${HOLD}`, "sh", ...places];
  const holder = spawn("unshare", words, { stdio: ["pipe", "pipe", "inherit"] });
  const isMade = await Promise.race([
    once(holder.stdout, "data").then(() => true),
    once(holder, "exit").then(() => false),
  ]);
  if (!isMade) throw new Error("the small file system could not be made");
  const inside = ["nsenter", `--mount=/proc/${holder.pid}/ns/mnt`];
  return {
    folder,
    place: [...inside, "setpriv", "--pdeathsig", "SIGKILL"],
    run: async (command) => {
      const [program = "", ...rest] = [...inside, "sh", "-ec", command, "sh", ...places];
      return (await promisify(execFile)(program, rest, { timeout: COMMAND_MS_MAX })).stdout.trim();
    },
    close: () => ended(holder),
  };
};

const ended = async (holder: ChildProcess): Promise<void> => {
  if (holder.exitCode !== null || holder.signalCode !== null) return;
  const gone = once(holder, "exit");
  holder.stdin?.end();
  await gone;
};

export const fill = async (disk: SmallDisk, leftKib = 0): Promise<void> => {
  const said = await disk.run(`dd if=/dev/zero of="$1/zeros" bs=4k 2>&1 || true`);
  if (!said.includes("No space left")) throw new Error(`the disk is not full: ${said}`);
  await disk.run(`truncate -s "-${leftKib}K" "$1/zeros"`);
};

export const free = (disk: SmallDisk): Promise<string> => disk.run(`rm "$1/zeros"`);
