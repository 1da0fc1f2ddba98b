import type { Processes, RunningProcess } from "./processes.ts";
import { dataFiles, messageBodies } from "./secrets.ts";
import { until } from "./until.ts";

const READY = /^Hearth is listening on (http:\/\/127\.0\.0\.1:(\d+))$/;

/** Copies of the disk at some moments, which are searched for secrets at the end. */
interface Kept {
  readonly files: readonly string[];
  readonly messages: readonly string[];
}

export interface OwnHost {
  readonly endpoint: string;
  readonly kept: Kept;
  keepData(): void;
  kill(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  restart(): Promise<void>;
}

export const openHost = async (
  processes: Processes,
  data: string,
  options: readonly string[],
): Promise<OwnHost> => {
  const files: string[] = [];
  const messages: string[] = [];
  const host = { running: await startHost(processes, data, "0", options) };
  const { endpoint, port } = host.running;
  return {
    endpoint,
    kept: { files, messages },
    keepData: () => {
      files.push(...dataFiles(data));
      messages.push(...messageBodies(data));
    },
    kill: (signal) => {
      host.running.process.kill(signal);
      return host.running.process.ended;
    },
    restart: async () => {
      host.running = await startHost(processes, data, port, options);
    },
  };
};

interface RunningHost {
  readonly endpoint: string;
  readonly port: string;
  readonly process: RunningProcess;
}

const startHost = async (
  processes: Processes,
  data: string,
  wantedPort: string,
  options: readonly string[],
): Promise<RunningHost> => {
  const started = processes.start({
    name: "host",
    program: "apps/cli/hearth.ts",
    args: ["serve", "--port", wantedPort, "--data", data, ...options],
    // The log is searched for secrets, so the environment must not silence it.
    environment: { ...process.env, HEARTH_LOG: "info" },
    show: (line) => (READY.test(line) ? line : null),
  });
  const gone = started.ended.then((end): never => {
    throw new Error(`the host has ended with ${end}: ${started.lines.at(-1) ?? "no word"}`);
  });
  const ready = until("the host", () => {
    const [, endpoint, port] = started.lines.map((line) => READY.exec(line)).find(Boolean) ?? [];
    return endpoint === undefined || port === undefined ? null : { endpoint, port };
  });
  // Only the caller that waits for the start needs to know that the host has ended.
  gone.catch(() => undefined);
  return { ...(await Promise.race([ready, gone])), process: started };
};
