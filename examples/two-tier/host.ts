/** The embedded host as a process that can be killed and started again. */
import type { Processes, RunningProcess } from "./processes.ts";
import { until } from "./until.ts";

const READY = /^Hearth is listening on (http:\/\/127\.0\.0\.1:(\d+))$/;

export interface RunningHost {
  readonly url: string;
  readonly port: string;
  readonly process: RunningProcess;
}

/** Port "0" takes a free one. */
export const startHost = async (
  processes: Processes,
  data: string,
  port: string,
): Promise<RunningHost> => {
  const started = processes.start({
    name: "host",
    program: "cli/hearth.ts",
    args: ["serve", "--port", port, "--data", data],
    // Its log is looked through for secrets, so it must not be silenced from outside.
    environment: { ...process.env, HEARTH_LOG: "info" },
    show: (line) => (READY.test(line) ? line : null),
  });
  const gone = started.ended.then((end): never => {
    throw new Error(`the host has ended with ${end}: ${started.lines.at(-1) ?? "no word"}`);
  });
  const ready = until("the host", () => {
    const [, url, boundPort] = started.lines.map((line) => READY.exec(line)).find(Boolean) ?? [];
    return url === undefined || boundPort === undefined ? null : { url, port: boundPort };
  });
  // The host's end is told only to whoever waits for its beginning.
  gone.catch(() => undefined);
  return { ...(await Promise.race([ready, gone])), process: started };
};
