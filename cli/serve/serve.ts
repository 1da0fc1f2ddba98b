/** `hearth serve`: runs the embedded host until it is told to stop. */
import { type HostOptions, startHost } from "./host.ts";

export const DATA_FOLDER_DEFAULT = ".data";

export interface ServeOptions {
  readonly port: number;
  /** The data folder; `.data` where none is named. */
  readonly data?: string;
  /** Nothing is kept: for trying out, and for tests. */
  readonly memory: boolean;
  readonly sweepMs?: number;
}

/** Ends the process with 0 after SIGTERM or SIGINT, when what was in hand is done and the database is closed. */
export const serve = async (options: ServeOptions): Promise<void> => {
  const hostOptions: HostOptions = {
    port: options.port,
    data: options.memory ? null : (options.data ?? DATA_FOLDER_DEFAULT),
    ...(options.sweepMs === undefined ? {} : { sweepMs: options.sweepMs }),
  };
  const host = await startHost(hostOptions);
  const stopped = new Promise<void>((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
  console.log(`Hearth is listening on ${host.url}`);
  await stopped;
  await host.stop();
  // What did not end in time still holds timers and sockets; the next start goes on with it.
  process.exit(0);
};
