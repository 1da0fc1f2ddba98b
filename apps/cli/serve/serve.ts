import type { z } from "zod";
import { type Host, startHost } from "#host/host.ts";
import { formerTypesOf } from "#host/plugins/former-plugins.ts";
import { loadKnownPlugins } from "#host/plugins/load-plugin.ts";
import { OperatorFileRefused } from "#providers/operator-file.ts";
import { chosenLogLevel } from "../empty-variables.ts";
import { DATA_FOLDER_DEFAULT } from "../options.ts";
import { remoteAccess } from "../plugin-options.ts";
import { awsOf } from "./aws.ts";
import { dockerOf, machinesOf, openStackOf } from "./clouds.ts";
import { boundHeapGrowth } from "./heap-growth.ts";
import type { ServeOptions } from "./long-running.ts";
import type { reachOf } from "./reach-options.ts";
import { startFailure } from "./start-failure.ts";

type Given = Omit<z.infer<typeof ServeOptions>, "installService" | "check" | "json">;
type Reach = ReturnType<typeof reachOf>;

const otherListeners = ({ url, listening }: Host): readonly string[] => [
  ...(listening.url === url ? [] : [`Its own address: ${listening.url}`]),
  ...(listening.agentsUrl === null ? [] : [`Agents only: ${listening.agentsUrl}`]),
  ...(listening.metricsUrl === null ? [] : [`Metrics: ${listening.metricsUrl}/metrics`]),
];

const TWO_CLOUDS =
  "--docker or --openstack and the servers in the file of --aws exclude each other: both make OS::Nova::Server.";
const NO_AWS = { family: undefined, servers: null };

/** At boot the plug-ins start at the same time as the host. */
const PLUGIN_SECONDS_MAX = 30;

/** The options exclude each other, because all servers have one back-end. */
const backEndOf = async ({ docker, openstack, ...others }: Given) => {
  if (docker !== undefined) return dockerOf({ docker, ...others });
  return openstack === undefined ? undefined : openStackOf(openstack);
};

const start = async (given: Given, reach: Reach, data: string | null): Promise<Host> => {
  const { plugin: sources, aws, ssh, templateHost: templateHosts, ...options } = given;
  const { family, servers } = aws === undefined ? NO_AWS : await awsOf(aws);
  const backEnd = await backEndOf(given);
  if (backEnd !== undefined && servers !== null) throw new OperatorFileRefused(TWO_CLOUDS);
  const cloud = backEnd ?? servers ?? undefined;
  const machines = ssh === undefined ? undefined : machinesOf(ssh);
  const access = remoteAccess(given, PLUGIN_SECONDS_MAX);
  const loaded = await loadKnownPlugins(sources, access, (source) => formerTypesOf(data, source));
  const makers = { ...loaded, cloud, family, machines };
  return startHost({ ...options, ...reach, data, templateHosts, ...makers });
};

/** The first SIGUSR2 shows all lines of the log; the next one returns to HEARTH_LOG's level. */
const switchLogOnSignal = (): void => {
  const chosen = chosenLogLevel() ?? "info";
  process.on("SIGUSR2", () => {
    const level = process.env["HEARTH_LOG"] === chosen ? "info" : chosen;
    Reflect.set(process.env, "HEARTH_LOG", level);
    console.log(`The log has the level ${level} from now on.`);
  });
};

/** SIGTERM and SIGINT end the process with 0, after the running work is done. */
export const serveUntilStopped = async (given: Given, reach: Reach): Promise<void> => {
  boundHeapGrowth();
  const place = given.memory ? null : (given.data ?? DATA_FOLDER_DEFAULT);
  const host = await start(given, reach, place).catch((error: unknown) => {
    throw startFailure(error, place);
  });
  const stopped = new Promise<void>((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
  switchLogOnSignal();
  if (reach.tls !== undefined) process.on("SIGHUP", host.reloadCertificate);
  console.log(`Hearth is listening on ${host.url}`);
  for (const line of otherListeners(host)) console.log(line);
  if (given.step) console.log("Step mode: nothing moves until POST /_dev/step or /_dev/drain.");
  await stopped;
  await host.stop();
  // Work that did not end in time still has timers and sockets. The next start continues it.
  process.exit(0);
};
