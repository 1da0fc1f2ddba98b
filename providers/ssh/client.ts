/** Runs a script as root on a machine, with the system's OpenSSH client (docs/adr/0047). */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";

export interface Target {
  readonly address: string;
  readonly port: number;
  readonly user: string;
  readonly hostKey: HostKey;
  readonly keyFile: string;
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export class Unreachable extends Error {
  override readonly name = "Unreachable";
  /** False if no connection was made, so the script has not run. */
  readonly mayHaveRun: boolean;

  constructor(message: string, mayHaveRun: boolean) {
    super(message);
    this.mayHaveRun = mayHaveRun;
  }
}

/** It is not the machine of the template, or it refuses the login. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/** The script is sent over standard input, so that no process list shows it. */
export type RunOnMachine = (target: Target, script: string, signal: AbortSignal) => Promise<Ran>;

/** OpenSSH's client exits with 255 for all errors of its own. */
const CLIENT_FAILED = 255;
const CONNECT_SECONDS_MAX = 10;
const KEEPALIVE_SECONDS = 5;
const ALIAS = "hearth-machine";
const NO_SUDO = 96;
const SUDO_REFUSES = 97;

/** Sudo's messages are localised and varied, so exit codes of our own report its refusal. */
const AS_ROOT = [
  'if [ "$(id -u)" = 0 ]; then exec sh -s; fi',
  `command -v sudo >/dev/null || exit ${NO_SUDO}`,
  `LC_ALL=C sudo -n sh -c : </dev/null || exit ${SUDO_REFUSES}`,
  "exec sudo -n sh -s",
].join("; ");

/** OpenSSH expands percent signs in file names. */
const literal = (path: string): string => path.replaceAll("%", "%%");

/** Ignores the user's configuration, agent and known hosts. */
const optionsOf = ({ hostKey, keyFile }: Target, knownHosts: string): readonly string[] => [
  "BatchMode=yes",
  "CheckHostIP=no",
  "ClearAllForwardings=yes",
  `ConnectTimeout=${CONNECT_SECONDS_MAX}`,
  "ControlMaster=no",
  "ControlPath=none",
  "ForwardAgent=no",
  "GlobalKnownHostsFile=/dev/null",
  `HostKeyAlgorithms=${hostKey.algorithms}`,
  `HostKeyAlias=${ALIAS}`,
  "IdentitiesOnly=yes",
  "IdentityAgent=none",
  `IdentityFile="${literal(keyFile)}"`,
  "LogLevel=INFO",
  "PreferredAuthentications=publickey",
  `ServerAliveInterval=${KEEPALIVE_SECONDS}`,
  "ServerAliveCountMax=3",
  "StrictHostKeyChecking=yes",
  "UpdateHostKeys=no",
  `UserKnownHostsFile="${literal(knownHosts)}"`,
];

const wordsOf = (target: Target, knownHosts: string): readonly string[] => [
  "-F",
  "none",
  "-T",
  ...optionsOf(target, knownHosts).flatMap((option) => ["-o", option]),
  "-l",
  target.user,
  "-p",
  String(target.port),
  "--",
  target.address,
  AS_ROOT,
];

const SENT_FINGERPRINT = /sent by the remote host is\s+(SHA256:[A-Za-z0-9+/]+)/;
const LAST_LINE_CHARS_MAX = 300;

const lastLine = (stderr: string): string => {
  const lines = stderr.split("\n").map((line) => line.trim());
  return (lines.findLast((line) => line !== "") ?? "no reason").slice(0, LAST_LINE_CHARS_MAX);
};

const NO_CONNECTION = /^ssh: (connect to host|Could not resolve hostname) /m;

const whyNot = ({ hostKey, user }: Target, stderr: string): Refused | Unreachable => {
  const sent = SENT_FINGERPRINT.exec(stderr)?.[1];
  if (sent !== undefined) {
    const text = `the machine has the host key ${sent}, and the pinned one is ${hostKey.fingerprint}`;
    return new Refused(text);
  }
  if (/no matching host key type/i.test(stderr)) {
    return new Refused(`the machine has no host key of the pinned kind (${hostKey.fingerprint})`);
  }
  // A busy sshd closes connections before the login. That is not a refusal.
  if (/permission denied|no such identity|load key/i.test(stderr)) {
    return new Refused(`the machine does not let ${user} in: ${lastLine(stderr)}`);
  }
  const mayHaveRun = !NO_CONNECTION.test(stderr);
  return new Unreachable(`the machine does not answer: ${lastLine(stderr)}`, mayHaveRun);
};

const OUTPUT_BYTES_MAX = 1_048_576;

const printed = (stream: Readable, tooMuch: () => void): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    stream.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > OUTPUT_BYTES_MAX) tooMuch();
      else chunks.push(chunk);
    });
    stream.once("error", reject);
    stream.once("close", () => resolve(Buffer.concat(chunks).toString("utf8")));
  });

const run = async (words: readonly string[], script: string, signal: AbortSignal): Promise<Ran> => {
  const child = spawn("ssh", words, {
    stdio: ["pipe", "pipe", "pipe"],
    // Without HOME the client cannot read a user's files.
    env: { PATH: process.env["PATH"], LC_ALL: "C" },
    signal,
    killSignal: "SIGKILL",
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? CLIENT_FAILED));
  });
  // A failed connection closes the pipe. The exit code gives the reason.
  child.stdin.once("error", () => undefined);
  child.stdin.end(script);
  let isTooMuch = false;
  const tooMuch = (): void => {
    isTooMuch = true;
    child.kill("SIGKILL");
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const outputs = [child.stdout, child.stderr].map((stream) => printed(stream, tooMuch));
  const [code, stdout = "", stderr = ""] = await Promise.all([ended, ...outputs]);
  if (isTooMuch) throw new Refused(`the machine prints more than ${OUTPUT_BYTES_MAX} bytes`);
  return { code, stdout, stderr };
};

/** Throws Unreachable or Refused. */
export const runOverSsh: RunOnMachine = async (target, script, signal) => {
  const folder = await mkdtemp(join(tmpdir(), "hearth-ssh-"));
  try {
    const knownHosts = join(folder, "known_hosts");
    await writeFile(knownHosts, `${ALIAS} ${target.hostKey.line}\n`, { mode: 0o600 });
    const ran = await run(wordsOf(target, knownHosts), script, signal);
    if (ran.code === CLIENT_FAILED) throw whyNot(target, ran.stderr);
    if (ran.code === NO_SUDO) throw new Refused(`${target.user} is not root, and has no sudo`);
    if (ran.code === SUDO_REFUSES) {
      const why = lastLine(ran.stderr);
      throw new Refused(`${target.user} may not use sudo without a password: ${why}`);
    }
    return ran;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const ALGORITHMS: Readonly<Record<string, string>> = {
  "ssh-ed25519": "ssh-ed25519",
  "ecdsa-sha2-nistp256": "ecdsa-sha2-nistp256",
  "ecdsa-sha2-nistp384": "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521": "ecdsa-sha2-nistp521",
  "ssh-rsa": "rsa-sha2-512,rsa-sha2-256",
};

/** The pinned key of a machine: a line of `/etc/ssh/ssh_host_*_key.pub`. */
export const HOST_KEY_PATTERN =
  "(ssh-ed25519|ecdsa-sha2-nistp(256|384|521)|ssh-rsa) [A-Za-z0-9+/]{40,2000}={0,2}( [ -~]{0,200})?";

interface HostKey {
  readonly line: string;
  readonly algorithms: string;
  readonly fingerprint: string;
}

export const readHostKey = (text: string): HostKey | null => {
  const [kind = "", key = ""] = text.trim().split(/\s+/);
  const algorithms = Object.hasOwn(ALGORITHMS, kind) ? ALGORITHMS[kind] : undefined;
  const bytes = Buffer.from(key, "base64");
  // An encoded key begins with four bytes of length and its kind.
  const own = bytes.subarray(4, 4 + kind.length).toString("latin1");
  if (algorithms === undefined || own !== kind) return null;
  const digest = createHash("sha256")
    .update(bytes)
    .digest("base64")
    .replace(/(?<!=)=+$/, "");
  return { line: `${kind} ${key}`, algorithms, fingerprint: `SHA256:${digest}` };
};
