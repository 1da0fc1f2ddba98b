/** What the acts of the demo need: the API, the two servers, and the command line. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { WireEvent } from "#client/wire.ts";
import { type Address, type Api, openApi } from "./api.ts";
import type { Checks } from "./checks.ts";
import { type OwnHost, openHost } from "./host.ts";
import type { Options } from "./options.ts";
import type { Processes, RunningProcess } from "./processes.ts";
import { makeSecrets, type Secrets } from "./secrets.ts";
import { openServer, type Server } from "./server.ts";
import { patiently, until } from "./until.ts";

/** The demo must end, so a waiting command is killed after this time. */
const COMMAND_MS_MAX = 300_000;

export interface CommandEnd {
  readonly exitCode: number | NodeJS.Signals;
  readonly lines: readonly string[];
}

export interface Stage {
  /** Its name. */
  readonly stack: string;
  readonly api: Api;
  /** Null for an API that runs already: its process and its disk are out of reach. */
  readonly host: OwnHost | null;
  readonly checks: Checks;
  readonly processes: Processes;
  readonly secrets: Secrets;
  readonly web: Server;
  readonly db: Server;
  /** Runs `hearth stack VERB …`; `name` marks its lines. */
  stackCommand(name: string, args: readonly string[]): Promise<CommandEnd>;
}

/** A shared API gets a name that no other stack has. */
export const stackNameFor = ({ endpoint }: Options): string =>
  endpoint === undefined ? "two-tier" : `two-tier-${randomBytes(3).toString("hex")}`;

export interface StageOptions {
  readonly options: Options;
  readonly stack: string;
  /** For a host of its own: further options of `hearth serve`. */
  readonly hostOptions?: readonly string[];
}

export const setStage = async (
  folder: string,
  processes: Processes,
  checks: Checks,
  { options, stack, hostOptions = [] }: StageOptions,
): Promise<Stage> => {
  const { endpoint: given, project, token } = options;
  const host =
    given === undefined ? await openHost(processes, join(folder, "data"), hostOptions) : null;
  const endpoint = (host?.endpoint ?? given ?? "").replace(/\/+$/, "");
  const address = { endpoint, project, token, stack };
  return {
    stack,
    api: openApi(address),
    host,
    checks,
    processes,
    secrets: makeSecrets(folder, options.apiKey),
    web: openServer(processes, "web", join(folder, "web")),
    db: openServer(processes, "db", join(folder, "db")),
    stackCommand: (name, args) =>
      commandEnd(
        processes.start({
          name: `hearth ${name}`,
          program: "apps/cli/hearth.ts",
          args: ["stack", ...args],
          environment: { ...process.env, ...commandVariables(address) },
          show: (line) => (line === "" ? null : line),
        }),
      ),
  };
};

/** Not as arguments, since any user of the machine can read those. */
const commandVariables = ({ endpoint, project, token }: Address): NodeJS.ProcessEnv => ({
  HEARTH_ENDPOINT: endpoint,
  HEARTH_PROJECT: project,
  ...(token === undefined ? {} : { HEARTH_TOKEN: token }),
});

const commandEnd = async (command: RunningProcess): Promise<CommandEnd> => {
  const timer = setTimeout(() => command.kill("SIGKILL"), patiently(COMMAND_MS_MAX));
  const exitCode = await command.ended;
  clearTimeout(timer);
  return { exitCode, lines: command.lines };
};

/**
 * The arguments of a target: template, environments and, unless it is the template's own, the
 * release.
 */
export const targetArguments = (
  { secrets, stack }: Stage,
  template: string,
  release?: string,
): readonly string[] => [
  stack,
  "--template",
  exampleFile(template),
  "--environment",
  exampleFile("environment.yaml"),
  "--environment",
  secrets.environmentFile,
  ...(release === undefined ? [] : ["--parameter", `release=${release}`]),
];

export const exampleFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export const untilState = async (stage: Stage, resource: string, state: string): Promise<void> => {
  await until(`${resource} to be ${state}`, async () => {
    const states = await stage.api.resourceStates();
    return states.get(resource) === state ? state : null;
  });
};

/**
 * An event comes after its state. Resolves to the last event of the resource with this state and
 * reason.
 */
export const untilEvent = (
  { api }: Stage,
  resource: string,
  state: string,
  reason: RegExp,
): Promise<WireEvent> =>
  until(`the event of ${resource} being ${state}`, async () => {
    const events = await api.events(resource);
    const told = events.findLast(
      ({ resource_status: status, resource_status_reason: given }) =>
        status === state && reason.test(given ?? ""),
    );
    return told ?? null;
  });
