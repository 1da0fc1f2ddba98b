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

/** A command that waits without end is killed after this time, so that the demo ends. */
const COMMAND_MS_MAX = 300_000;

export interface CommandEnd {
  readonly exitCode: number | NodeJS.Signals;
  readonly lines: readonly string[];
}

export interface Stage {
  readonly stack: string;
  readonly api: Api;
  /** Null for an API that runs already, because its process and its disk are out of reach. */
  readonly host: OwnHost | null;
  readonly checks: Checks;
  readonly processes: Processes;
  readonly secrets: Secrets;
  readonly web: Server;
  readonly db: Server;
  stackCommand(name: string, args: readonly string[]): Promise<CommandEnd>;
}

/** Other stacks can exist on a shared API, so the name there is random. */
export const stackNameFor = ({ endpoint }: Options): string =>
  endpoint === undefined ? "two-tier" : `two-tier-${randomBytes(3).toString("hex")}`;

export interface StageOptions {
  readonly options: Options;
  readonly stack: string;
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

/** Every user of the machine can read the arguments of a command, but not its environment. */
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
 * Waits for the last event of the resource with this state and reason. An event is stored after the
 * state that it reports.
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
