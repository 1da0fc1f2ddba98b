import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { openClient } from "#client/client.ts";
import { readAuthority, trustOnly } from "../../apps/cli/connection/certificate-authority.ts";
import { type Rig, STORY_MS_MAX } from "../agents/rig.ts";
import { installStockAgents } from "../agents/stock-agents.ts";
import { eventually } from "../aws/eventually.ts";
import { type ProgramEnd, runProgram } from "../aws/run-program.ts";
import { type RestartedHost, startHost } from "../crash/host-process.ts";
import { makeAuthority } from "../tls/authority.ts";
import { startMachine } from "./machine.ts";
import { HOST_ADDRESS, inside } from "./namespaces.ts";
import type { RootShell } from "./root-shell.ts";

export const PROJECT = "demo";
export const FOREIGN_PROJECT = "other";
const CLI = fileURLToPath(new URL("../../apps/cli/hearth.ts", import.meta.url));
const DATA = fileURLToPath(new URL("../../.data", import.meta.url));
const COMMAND_MS_MAX = 120_000;
const AGENTS_PORT = 8005;

export interface Site extends Rig {
  readonly host: RestartedHost;
  readonly data: string;
  readonly agentsUrl: string;
  readonly caFile: string;
  readonly token: string;
  readonly foreignToken: string;
  readonly machine: RootShell;
  hearth(...words: readonly string[]): Promise<ProgramEnd>;
  hearthWith(variables: NodeJS.ProcessEnv, ...words: readonly string[]): Promise<ProgramEnd>;
}

export interface Story {
  readonly name: string;
  play(site: Site): Promise<void>;
}

const makeToken = async (data: string, project: string): Promise<string> => {
  const words = ["--project", project, "token", "create", "--data", data, "--expires", "1d"];
  const { exitCode, printed } = await runProgram(CLI, [...words, "--json"], {}, COMMAND_MS_MAX);
  if (exitCode !== 0) throw new Error(`no token: ${printed}`);
  const [text = ""] = /\{[\s\S]*\}/.exec(printed) ?? [];
  return z.object({ token: z.object({ token: z.string() }) }).parse(JSON.parse(text)).token.token;
};

/** This process is in the machine's namespace. From here on it trusts the host's authority. */
export const openSite = async (hostNamespace: string): Promise<Site> => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-namespaces-"));
  const agents = await installStockAgents(join(DATA, "stock-agents"), folder);
  const { caFile, issue } = makeAuthority(folder);
  const { cert, key } = issue("host", [`IP:${HOST_ADDRESS}`]);
  const data = join(folder, "data");
  const token = await makeToken(data, PROJECT);
  const foreignToken = await makeToken(data, FOREIGN_PROJECT);
  const options = ["--listen", HOST_ADDRESS, "--tls-cert", cert, "--tls-key", key];
  const forAgents = ["--agents-listen", `${HOST_ADDRESS}:${AGENTS_PORT}`];
  const place = inside(hostNamespace);
  const host = startHost(folder, { HEARTH_LOG: "silent" }, [...options, ...forAgents], place);
  const endpoint = await host.ready();
  trustOnly(readAuthority(caFile));
  const connection = { endpoint, project: PROJECT, token };
  const variables = {
    HEARTH_ENDPOINT: endpoint,
    HEARTH_PROJECT: PROJECT,
    HEARTH_TOKEN: token,
    HEARTH_CA_FILE: caFile,
  };
  const hearthWith: Site["hearthWith"] = (others, ...words) =>
    runProgram(CLI, words, { ...variables, ...others }, COMMAND_MS_MAX);
  return {
    agents,
    folder,
    connection,
    client: openClient(connection),
    host,
    data,
    agentsUrl: `https://${HOST_ADDRESS}:${AGENTS_PORT}`,
    caFile,
    token,
    foreignToken,
    machine: startMachine(),
    hearth: (...words) => hearthWith({}, ...words),
    hearthWith,
  };
};

export const bootstrapOnce = (site: Site, ...words: readonly string[]): Promise<string> =>
  eventually("the server has a URL", STORY_MS_MAX, async () => {
    const { exitCode, printed } = await site.hearth("server", "bootstrap", ...words);
    if (exitCode === 0) return printed;
    if (/not ready yet|has no OS::Heat::DeployedServer/.test(printed)) return null;
    throw new Error(printed);
  });

export const readAccessLog = (site: Site): string =>
  readFileSync(join(site.data, "access.log"), "utf8");
