import { type Host, type HostOptions, startHost } from "#host/host.ts";
import { formerTypesOf } from "#host/plugins/former-plugins.ts";
import { loadKnownPlugins } from "#host/plugins/load-plugin.ts";
import { OperatorFileRefused } from "#providers/operator-file.ts";
import { chosenLogLevel } from "../empty-variables.ts";
import { DATA_FOLDER_DEFAULT } from "../options.ts";
import { type RemoteOptions, remoteAccess } from "../plugin-options.ts";
import type { DockerOptions } from "./clouds.ts";
import { boundHeapGrowth } from "./heap-growth.ts";
import { startFailure } from "./start-failure.ts";

export interface ServeOptions
  extends Omit<HostOptions, "data" | "plugins" | "cloud" | "family" | "machines"> {
  readonly docker?: string | true | undefined;
  readonly dockerNetwork?: string | undefined;
  readonly dockerMetadata?: DockerOptions["dockerMetadata"];
  readonly openstack?: string | undefined;
  readonly aws?: string | undefined;
  readonly ssh?: string | undefined;
  readonly plugins: readonly string[];
  readonly remote: RemoteOptions;
  readonly data?: string | undefined;
  readonly memory: boolean;
}

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

type BackEnd = keyof DockerOptions | "openstack";

/** The options exclude each other, because all servers have one back-end. */
const backEndOf = async ({ docker, openstack, ...others }: Pick<ServeOptions, BackEnd>) => {
  const { cloudOf } = await import("./clouds.ts");
  if (docker !== undefined) return cloudOf({ docker, ...others });
  const { openStackOf } = await import("./clouds.ts");
  return openstack === undefined ? undefined : openStackOf(openstack);
};

const start = async (
  options: HostOptions,
  given: Pick<ServeOptions, "plugins" | "remote" | BackEnd | "aws" | "ssh">,
): Promise<Host> => {
  const { plugins: sources, remote, aws, ssh } = given;
  const { awsOf } = await import("./aws.ts");
  const { family, servers } = aws === undefined ? NO_AWS : await awsOf(aws);
  const backEnd = await backEndOf(given);
  if (backEnd !== undefined && servers !== null) throw new OperatorFileRefused(TWO_CLOUDS);
  const cloud = backEnd ?? servers ?? undefined;
  const { machinesOf } = await import("./clouds.ts");
  const machines = ssh === undefined ? undefined : machinesOf(ssh);
  const access = remoteAccess(remote, PLUGIN_SECONDS_MAX);
  const loaded = await loadKnownPlugins(sources, access, (source) =>
    formerTypesOf(options.data, source),
  );
  return startHost({ ...options, ...loaded, cloud, family, machines });
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
export const serve = async (given: ServeOptions): Promise<void> => {
  const { data, memory, plugins, remote, ...others } = given;
  const { docker, dockerNetwork, dockerMetadata, openstack, aws, ssh, ...options } = others;
  boundHeapGrowth();
  const place = memory ? null : (data ?? DATA_FOLDER_DEFAULT);
  const makers = { plugins, remote, docker, dockerNetwork, dockerMetadata, openstack, aws, ssh };
  const host = await start({ ...options, data: place }, makers).catch((error: unknown) => {
    throw startFailure(error, place);
  });
  const stopped = new Promise<void>((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
  switchLogOnSignal();
  if (options.tls !== undefined) process.on("SIGHUP", host.reloadCertificate);
  console.log(`Hearth is listening on ${host.url}`);
  for (const line of otherListeners(host)) console.log(line);
  if (options.step) console.log("Step mode: nothing moves until POST /_dev/step or /_dev/drain.");
  await stopped;
  await host.stop();
  // Work that did not end in time still has timers and sockets. The next start continues it.
  process.exit(0);
};
