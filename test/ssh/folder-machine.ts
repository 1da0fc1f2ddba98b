/**
 * A folder in place of a machine: the scripts over SSH and of its agent run in a real shell, with
 * programs in place of systemd and apt. `npm run lane -- ssh` has a real machine.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import type { Json } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { RunOnMachine } from "#providers/ssh/client.ts";
import { type MachineBackEnd, sshProvider } from "#providers/ssh/ssh-provider.ts";
import { freshFolder, removeFolder } from "../contract/folders.ts";
import { inputOf, memoryLine } from "../prove/lives/deployment-agents.ts";
import { textAt } from "../unit/api/api-world.ts";
import { PACKAGE_PROGRAMS, SERVICE_PROGRAMS, writePrograms } from "./machine-programs.ts";

const BOOTSTRAP = `set -eu
mkdir -p "$DESTDIR/opt/hearth/hooks" "$DESTDIR/etc/systemd/system" "$DESTDIR/var/lib/hearth-agent"
: > "$DESTDIR/opt/hearth/hearth-agent.mjs"
: > "$DESTDIR/etc/systemd/system/hearth-agent.service"
: > "$DESTDIR/etc/hearth-agent.url"
: > "$DESTDIR/var/lib/hearth-agent/records"
echo restart >> "$DESTDIR/run/restarts"
systemctl restart hearth-agent
`;

const SILENT_MS_MAX = 300_000;
/** The first line is the physical id of the resource that owns the machine. */
const OWNER = "etc/hearth-machine";
const AGENT = "run/hearth-agent";
const PATHS = /'\/(etc|var\/lib)\//g;

const noAnswers = { polled: () => undefined, answered: () => undefined };

export const openFolderMachine = () => {
  const folder = freshFolder();
  const [bin, root] = [join(folder, "bin"), join(folder, "machine")];
  const reinstall = (): void => {
    removeFolder(root);
    for (const place of ["etc/systemd/system", "var/lib", "run", "opt"]) {
      mkdirSync(join(root, place), { recursive: true });
    }
    writeFileSync(join(root, "states"), "installed base\n");
  };
  reinstall();
  mkdirSync(bin);
  writePrograms(bin, { ...PACKAGE_PROGRAMS, ...SERVICE_PROGRAMS });
  const path = [bin, dirname(process.execPath), process.env["PATH"]].join(delimiter);

  const shell = async (script: string, more: Readonly<Record<string, string>> = {}) => {
    const child = spawn("sh", ["-s"], {
      env: { DESTDIR: root, MACHINE: root, PATH: path, ...more },
    });
    const ended = once(child, "close");
    child.stdin.end(script);
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    await ended;
    return { code: child.exitCode ?? 1, stdout, stderr };
  };

  const faults: Error[] = [];
  const run: RunOnMachine = async (_target, script) => {
    const fault = faults.shift();
    if (fault !== undefined) throw fault;
    return shell(script);
  };

  const provider = (given: Partial<MachineBackEnd> = {}) =>
    sshProvider({
      run,
      identities: {
        identities: new Map([["ops", { key_file: "/key", projects: ["kit", "demo"] }]]),
        caFile: null,
      },
      bootstrap: async ({ metadataUrl }) => `${BOOTSTRAP}# ${metadataUrl}\n`,
      isLocal: () => true,
      now: Date.now,
      silentMsMax: SILENT_MS_MAX,
      ...given,
    });

  const done = new Set<string>();
  const runEntry = async (entry: Json) => {
    const script = textAt(entry, "config").replaceAll(PATHS, `'${root}/$1/`);
    const action = inputOf(entry, "deploy_action");
    const { code, stdout, stderr } = await shell(script, { deploy_action: action });
    return {
      deploy_status_code: code,
      deploy_stdout: stdout,
      deploy_stderr: stderr.replaceAll(root, ""),
    };
  };

  /**
   * Runs the next script of the agent's document. @returns false if there is none, or no agent
   * runs.
   */
  const turnAgent = async (ports: Ports): Promise<boolean> => {
    if (!existsSync(join(root, AGENT)) || !existsSync(join(root, OWNER))) return false;
    const [id = ""] = readFileSync(join(root, OWNER), "utf8").split("\n");
    const line = memoryLine(ports, id, noAnswers);
    const entry = (await line.poll())?.find((one) => !done.has(textAt(one, "id")));
    if (entry === undefined) return false;
    done.add(textAt(entry, "id"));
    await line.signal(id, inputOf(entry, "deploy_signal_id"), await runEntry(entry));
    return true;
  };

  const at = (place: string): string => join(root, place);
  const remove = () => removeFolder(folder);
  return { root, at, faults, provider, turnAgent, reinstall, remove };
};

export type FolderMachine = ReturnType<typeof openFolderMachine>;
