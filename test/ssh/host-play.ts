import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Result } from "../contract/spoilt-operations.ts";
import { runInShell } from "../integration/documents/page-shell.ts";
import { type ServeProcess, startServe } from "../integration/host/serve-process.ts";
import { makeAuthority } from "../tls/authority.ts";
import type { Machine } from "./machine.ts";
import { whatIsLeft } from "./provider-play.ts";

const LOOKS_MAX = 150;
const LOOK_MS = 200;
const MAKE = "-t site.yaml -e machine.yaml site";

type Hearth = (command: string) => Promise<string>;

const shellOf =
  (folder: string, { url }: ServeProcess, more: Readonly<Record<string, string>> = {}): Hearth =>
  async (command) => {
    const environment = { HEARTH_ENDPOINT: url, HOME: folder, ...more };
    const { code, printed } = await runInShell(folder, environment, command);
    return `${code} ${printed}`;
  };

const mismatch = (seen: string, wanted: RegExp): readonly string[] =>
  wanted.test(seen) ? [] : [`${JSON.stringify(seen)} and not ${wanted.source}`];

const playAuthority = async (machine: Machine, page: string): Promise<Result> => {
  const before = machine.files();
  const folder = join(page, "tls");
  mkdirSync(folder);
  for (const name of ["bin", "site.yaml", "machine.yaml", "keys.yaml", "ops_key"]) {
    cpSync(join(page, name), join(folder, name), { recursive: true });
  }
  const keys = join(folder, "keys.yaml");
  writeFileSync(keys, `ca_file: ca.pem\n${readFileSync(keys, "utf8")}`);
  const { caFile, issue } = makeAuthority(folder);
  const { cert, key } = issue("host", ["IP:127.0.0.1"]);
  const tls = ["--tls-cert", cert, "--tls-key", key];
  const host = await startServe("--memory", ...tls, "--ssh", keys);
  const hearth = shellOf(folder, host, { HEARTH_CA_FILE: caFile });
  const wrong: string[] = [...mismatch(host.url, /^https:/)];
  const made = await hearth(`hearth stack create ${MAKE} > log 2>&1; tail -n 1 log`);
  wrong.push(...mismatch(await hearth("hearth stack outputs site kernel"), /^0 Linux$/));
  wrong.push(...mismatch(machine.run("head -n 1 /etc/hearth-ca.pem"), /^-----BEGIN CERT/));
  wrong.push(...mismatch(await hearth("hearth stack delete --yes site > log"), /^0 $/));
  await host.stop("SIGTERM");
  return {
    name: "an authority of one's own: the agent verifies the host with it",
    wrong: [...(wrong.length > 0 ? [made, ...wrong] : []), ...whatIsLeft(machine, before)],
  };
};

const untilSaid = async (hearth: Hearth, command: string, wanted: RegExp): Promise<string> => {
  let seen = "";
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    seen = await hearth(command);
    if (wanted.test(seen)) break;
    await pause(LOOK_MS);
  }
  return seen;
};

const playDiagnosis = async (machine: Machine, folder: string): Promise<Result> => {
  const before = machine.files();
  const host = await startServe("--memory", "--ssh", join(folder, "keys.yaml"));
  const hearth = shellOf(folder, host);
  const wrong: string[] = [];
  const expectSaid = async (command: string, wanted: RegExp): Promise<void> => {
    wrong.push(...mismatch(await untilSaid(hearth, command, wanted), wanted));
  };
  machine.run("systemctl stop machine-sshd");
  await hearth(`hearth stack create ${MAKE} --no-wait`);
  await expectSaid("hearth stack diagnose site", /the machine does not answer: .*refused/);
  machine.run("systemctl start machine-sshd");
  await expectSaid("hearth stack show site", /CREATE_COMPLETE/);
  machine.run("systemctl stop hearth-agent");
  await hearth(`hearth stack update ${MAKE} --parameter greeting=Hello --no-wait`);
  await expectSaid("hearth stack diagnose site", /motd [\s\S]*server web last polled \d+ s ago/);
  machine.run("systemctl start hearth-agent");
  await expectSaid("hearth stack show site", /UPDATE_COMPLETE/);
  wrong.push(...mismatch(await hearth("hearth stack delete --yes site > log"), /^0 $/));
  await host.stop("SIGTERM");
  return {
    name: "a diagnosis tells that a machine is silent, and that its agent is",
    wrong: [...wrong, ...whatIsLeft(machine, before)],
  };
};

export const playHost = async (machine: Machine, page: string): Promise<readonly Result[]> => [
  await playAuthority(machine, page),
  await playDiagnosis(machine, page),
];
