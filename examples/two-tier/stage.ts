/** Everything that the acts of the demo need: the host, the two servers, and the command line as a user has it. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Api, openApi, PROJECT, STACK } from "./api.ts";
import type { Checks } from "./checks.ts";
import { type RunningHost, startHost } from "./host.ts";
import type { Processes, RunningProcess } from "./processes.ts";
import { dataFiles, makeSecrets, messageBodies, type Secrets } from "./secrets.ts";
import { openServer, type Server } from "./server.ts";
import { until } from "./until.ts";

/** A command that waits for an operation gives up here, since a demo must come to its end. */
const COMMAND_MS_MAX = 45_000;

export interface CommandEnd {
  readonly exitCode: number | NodeJS.Signals;
  readonly lines: readonly string[];
}

/** What the host has on its disk at some moments, to be looked through at the end. */
interface Kept {
  readonly files: string[];
  readonly messages: string[];
}

export interface Stage {
  readonly api: Api;
  readonly checks: Checks;
  readonly processes: Processes;
  readonly secrets: Secrets;
  readonly kept: Kept;
  readonly web: Server;
  readonly db: Server;
  /** `hearth stack VERB …`; `name` marks its lines. */
  stackCommand(name: string, args: readonly string[]): Promise<CommandEnd>;
  /** Answers how the process ended. */
  killHost(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  /** On the same port and data folder. */
  restartHost(): Promise<void>;
  keepData(): void;
}

export const setStage = async (
  folder: string,
  processes: Processes,
  checks: Checks,
): Promise<Stage> => {
  const data = join(folder, "data");
  const kept: Kept = { files: [], messages: [] };
  const host: { running: RunningHost } = { running: await startHost(processes, data, "0") };
  const { url: endpoint, port } = host.running;
  return {
    api: openApi(endpoint),
    checks,
    processes,
    secrets: makeSecrets(folder),
    kept,
    web: openServer(processes, "web", join(folder, "web")),
    db: openServer(processes, "db", join(folder, "db")),
    stackCommand: (name, args) => {
      const command = processes.start({
        name: `hearth ${name}`,
        program: "cli/hearth.ts",
        args: ["--endpoint", endpoint, "--project", PROJECT, "stack", ...args],
        environment: process.env,
        show: (line) => (line === "" ? null : line),
      });
      return commandEnd(command);
    },
    killHost: (signal) => {
      host.running.process.kill(signal);
      return host.running.process.ended;
    },
    restartHost: async () => {
      host.running = await startHost(processes, data, port);
    },
    keepData: () => {
      kept.files.push(...dataFiles(data));
      kept.messages.push(...messageBodies(data));
    },
  };
};

const commandEnd = async (command: RunningProcess): Promise<CommandEnd> => {
  const timer = setTimeout(() => command.kill("SIGKILL"), COMMAND_MS_MAX);
  const exitCode = await command.ended;
  clearTimeout(timer);
  return { exitCode, lines: command.lines };
};

/** The arguments that name a target: template, environments and, but for the template's own, the release. */
export const targetArguments = (
  { secrets }: Stage,
  template: string,
  release?: string,
): readonly string[] => [
  ...[STACK, "--template", exampleFile(template)],
  ...["--environment", exampleFile("environment.yaml")],
  ...["--environment", secrets.environmentFile],
  ...(release === undefined ? [] : ["--parameter", `release=${release}`]),
];

export const exampleFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export const untilState = async (stage: Stage, resource: string, state: string): Promise<void> => {
  await until(`${resource} to be ${state}`, async () => {
    const states = await stage.api.resourceStates();
    return states.get(resource) === state ? state : null;
  });
};

/** The number of events of this resource whose state and reason are these. */
export const countEvents = async (
  { api }: Stage,
  resource: string,
  state: string,
  reason: string,
): Promise<number> => {
  const events = await api.events(resource);
  return events.filter(
    (event) => event.resource_status === state && event.resource_status_reason === reason,
  ).length;
};
