import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { z } from "zod";
import { whyUnreadable } from "#host/operator-files.ts";
import { STOP_SECONDS_DEFAULT, STOP_SECONDS_MAX } from "#host/stop-seconds.ts";
import { DURABILITIES } from "#lib/adapters/sqlite/transactions.ts";
import { TENANT_RATE_MAX } from "#lib/api/request-limit.ts";
import {
  EVENTS_PER_STACK_MAX_DEFAULT,
  EVENTS_PER_STACK_MAX_MAX,
  RETENTION_DAYS_DEFAULT,
  RETENTION_DAYS_MAX,
} from "#lib/stack/retention.ts";
import { type Declaration, declare, locally } from "../declaration.ts";
import { badUsage } from "../failure.ts";
import {
  DATA_FOLDER_DEFAULT,
  dataFolder,
  filled,
  flag,
  numberFrom,
  off,
  option,
} from "../options.ts";
import { PluginOptions } from "../plugin-options.ts";
import { openSession } from "../session.ts";
import { listenAt, ReachOptions, reachOf } from "./reach-options.ts";

const milliseconds = (option: string) =>
  z.coerce
    .number({ error: `${option} is a number of milliseconds` })
    .int(`${option} is a whole number of milliseconds`)
    .positive(`${option} is at least one millisecond`)
    .optional();

const TEMPLATE_TEXT = "--template-bytes-max is a number of bytes";
const TEMPLATE_HOST = /^[a-z0-9.-]+(?::\d{1,5})?$/;
const TEMPLATE_HOST_TEXT = "--template-host is a name in lower case, with a port if it needs one";

const StoreOptions = z.object({
  data: option(
    "--data <folder>",
    `the data folder (default: ${DATA_FOLDER_DEFAULT})`,
    dataFolder.optional(),
  ),
  memory: flag("--memory", "keep nothing", ["data"]),
  durability: option(
    "--durability <level>",
    "relaxed: faster, but a power failure takes the last minutes (default: full)",
    z.enum(DURABILITIES).optional(),
  ),
  templateBytesMax: option(
    "--template-bytes-max <number>",
    "how large a template may be (default: 524288, as in Heat)",
    z.coerce.number(TEMPLATE_TEXT).int(TEMPLATE_TEXT).positive(TEMPLATE_TEXT).optional(),
  ),
  retentionDays: option(
    "--retention-days <number>",
    `how long deleted stacks are kept (default: ${RETENTION_DAYS_DEFAULT})`,
    numberFrom("--retention-days", 1, RETENTION_DAYS_MAX),
  ),
  eventsPerStackMax: option(
    "--events-per-stack-max <number>",
    `as in Heat (default: ${EVENTS_PER_STACK_MAX_DEFAULT})`,
    numberFrom("--events-per-stack-max", 1, EVENTS_PER_STACK_MAX_MAX),
  ),
  tenantRate: option(
    "--tenant-rate <number>",
    "requests a second that each project may send (default: no limit)",
    numberFrom("--tenant-rate", 1, TENANT_RATE_MAX),
  ),
  templateHost: option(
    "--template-host <name>",
    "a host that template_url may name; may be repeated (default: none)",
    z.array(z.string().regex(TEMPLATE_HOST, TEMPLATE_HOST_TEXT)).default([]),
  ),
  stopSeconds: option(
    "--stop-seconds <number>",
    `how long a stop waits for calls of providers (default: ${STOP_SECONDS_DEFAULT})`,
    numberFrom("--stop-seconds", 0, STOP_SECONDS_MAX),
  ),
  step: flag("--step", "step mode: move only on /_dev/step or /_dev/drain"),
});

const MakerOptions = z.object({
  docker: option(
    "--docker [address]",
    "make servers as containers of Docker or Podman here",
    z.union([z.literal(true), z.string().min(1, "--docker is empty")]).optional(),
  ),
  dockerNetwork: option(
    "--docker-network <name>",
    "what servers join whose template names no network (default: the bridge of Docker)",
    filled("--docker-network"),
  ),
  dockerMetadata: option(
    "--docker-metadata [address]",
    "tell servers in Docker their metadata here (default: 169.254.169.254)",
    z.union([z.literal(true), listenAt("--docker-metadata")]).optional(),
  ),
  openstack: option(
    "--openstack <file>",
    "make servers in OpenStack, each project by its application credential in this file",
    filled("--openstack"),
    ["docker"],
  ),
  aws: option(
    "--aws <file>",
    "make resources in AWS, each project under its role in this file",
    filled("--aws"),
  ),
  ssh: option(
    "--ssh <file>",
    "install the agent on machines over SSH, with the keys of this file",
    filled("--ssh"),
  ),
});

export const ServeOptions = z
  .object({
    ...ReachOptions.shape,
    ...PluginOptions.shape,
    ...MakerOptions.shape,
    installService: flag(
      "--install-service",
      "print a systemd unit for this install with these options, and end",
      ["memory", "step"],
    ),
    check: flag(
      "--check",
      "say what an upgrade of the data folder would do and need, change nothing, and end",
      ["memory", "step", "installService"],
    ),
    ...StoreOptions.shape,
    json: off,
  })
  .refine(
    ({ docker, dockerNetwork }) => dockerNetwork === undefined || docker !== undefined,
    "--docker-network is an option of --docker",
  )
  .refine(
    ({ docker, dockerMetadata }) => dockerMetadata === undefined || docker !== undefined,
    "--docker-metadata is an option of --docker",
  );

const metadataUrl = (option: string) =>
  z.url({ protocol: /^https?$/, error: `${option} is not a URL` });

/** Every user of the machine can read a command line, so the URL may come from a file. */
const metadataUrlIn = z.string().transform((file, context) => {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    context.addIssue(`${file} cannot be read: ${whyUnreadable(error)}`);
    return z.NEVER;
  }
});

const AgentOptions = z.object({
  metadataUrl: option(
    "--metadata-url <url>",
    "the server's metadata document",
    metadataUrl("--metadata-url").optional(),
  ),
  metadataUrlFile: option(
    "--metadata-url-file <file>",
    "a file with that URL, which every user of the machine could read on the command line",
    metadataUrlIn.pipe(metadataUrl("The text of --metadata-url-file")).optional(),
  ),
  root: option("--root <folder>", "where the agent keeps its records", z.string()),
  hooks: option(
    "--hooks <folder>",
    "the folder with the hooks of all tools except `script`",
    z.string().optional(),
  ),
  intervalMs: option(
    "--interval-ms <number>",
    "time between two polls (default: 2000)",
    milliseconds("--interval-ms"),
  ),
  intervalMsMax: option(
    "--interval-ms-max <number>",
    "longest time between two polls while nothing changes",
    milliseconds("--interval-ms-max"),
  ),
  retryMs: option(
    "--retry-ms <number>",
    "time before a signal is repeated (default: 500)",
    milliseconds("--retry-ms"),
  ),
  heartbeatMs: option(
    "--heartbeat-ms <number>",
    "time between two progress signals of a run",
    milliseconds("--heartbeat-ms"),
  ),
});

/** The URL stays in this process, where no other user of the machine can read it. */
const urlOfServer = async (
  command: Command,
  stack: string,
  server: string | undefined,
): Promise<string> => {
  const { serverThatComes } = await import("../server/server.ts");
  return (await serverThatComes(openSession(command), stack, server)).metadataUrl;
};

const agent: Declaration = {
  usage: "agent [stack] [server]",
  examples: [
    "agent site machine --root ./machine",
    "agent --metadata-url-file url.txt --root /var/lib/hearth-agent",
  ],
  action: locally(
    AgentOptions,
    async (
      { metadataUrlFile, metadataUrl: url = metadataUrlFile, ...options },
      stack: string | undefined,
      server: string | undefined,
      _options: unknown,
      command: Command,
    ) => {
      if ((stack === undefined) === (url === undefined)) {
        throw badUsage("A stack, --metadata-url or --metadata-url-file is needed, and only one");
      }
      const metadataUrl = url ?? (await urlOfServer(command, stack ?? "", server));
      const { serveAgent } = await import("../../agent/hearth-agent.ts");
      await serveAgent({ ...options, metadataUrl });
    },
  ),
};

const serve: Declaration = {
  usage: "serve",
  action: locally(ServeOptions, async (given, _options: unknown, command: Command) => {
    const { installService, check, json, ...options } = given;
    if (check) {
      const { checkFolder } = await import("../data-folder/folder-work.ts");
      return checkFolder(options.data ?? DATA_FOLDER_DEFAULT, json);
    }
    const reach = reachOf(options);
    if (installService) {
      const { printServiceUnit } = await import("./install-service.ts");
      return printServiceUnit(command, reach);
    }
    const { serveUntilStopped } = await import("./serve.ts");
    await serveUntilStopped(options, reach);
  }),
};

export const addHostCommands = (program: Command): void => declare(program, serve, agent);
