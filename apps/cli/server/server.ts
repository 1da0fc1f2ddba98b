import type { Command } from "commander";
import { z } from "zod";
import { pathIn, placeBelow } from "#client/client.ts";
import { NESTED_LEVELS_MAX, openNestedPaths } from "#client/nested-paths.ts";
import { pause } from "#client/pause.ts";
import {
  ServerContactAnswer,
  StacksAnswer,
  type WireResource,
  type WireServerContact,
  type WireStack,
} from "#client/wire.ts";
import { RequestError } from "#lib/errors.ts";
import { mergedMaps } from "#lib/json.ts";
import { bootstrapLine } from "#providers/boot/bootstrap-script.ts";
import { readAuthority } from "../connection/certificate-authority.ts";
import { type Declaration, declare, NO_OPTIONS, onHost, onStack } from "../declaration.ts";
import { badUsage, CommandFailed } from "../failure.ts";
import { collect, flag } from "../options.ts";
import { tableLines } from "../print.ts";
import { leadsToOwnMachine, REACHABLE_ADVICE, type Session } from "../session.ts";
import { bootstrapScript } from "./bootstrap-script.ts";

export const addServerCommands = (program: Command): void =>
  declare(program.command("server"), list, report, bootstrap);

const SERVER_TYPE = "OS::Heat::DeployedServer";
const SERVER_TYPES: readonly string[] = [
  SERVER_TYPE,
  "OS::Nova::Server",
  "AWS::EC2::Instance",
  "OS::Heat::ScaledResource",
];
const isServer = (type: string): boolean => SERVER_TYPES.includes(type);

const SERVERS_SHOWN_MAX = 20;
/** A stack gets its servers a moment after its creation was accepted. */
const SERVER_MS_MAX = 30_000;
const LOOK_MS = 250;
const NOT_FOUND = 404;

const list: Declaration = {
  usage: "list [stack]",
  summary: "the servers with their agents, the agents' versions, last polls and refused polls",
  action: onHost(NO_OPTIONS, async (session, _options, stackName?: string) => {
    const stacks =
      stackName === undefined
        ? (await session.client.request("GET", "/stacks", StacksAnswer)).stacks
        : [await session.client.findStack(stackName)];
    const servers: ListedServer[] = [];
    for (const stack of stacks) servers.push(...(await ofStack(session, stack)));
    const shown = servers.map(({ stack, name, contact }) =>
      mergedMaps<unknown>({ stack, name }, contact),
    );
    session.print({ servers: shown }, () => tableLines(HEADERS, servers.map(cells)));
  }),
};

const BootstrapOptions = z.object({
  agent: z.enum(["hearth", "stock"], "--agent is hearth or stock"),
  format: z.enum(["line", "script"], "--format is line or script"),
  privileged: flag,
  local: flag,
  caFile: z.string().optional(),
});

const bootstrap: Declaration = {
  usage: "bootstrap <stack> [server]",
  summary: "print a script that makes a machine this server; root runs it there",
  options: (command) =>
    command
      .option(
        "--agent <which>",
        "hearth: install Hearth's; stock: configure those of the image",
        "hearth",
      )
      .option("--format <how>", "line: for a shell; script: for a file or cloud-init", "line")
      .option("--privileged", "run deployed scripts as root (Hearth's agent only)")
      .option("--local", "the machine is this one, so a loopback URL will do"),
  action: onHost(
    BootstrapOptions,
    async (session, options, stackName: string, serverName?: string) => {
      const { agent, format, privileged, local, caFile } = options;
      const { stack, server, metadataUrl } = await serverThatComes(session, stackName, serverName);
      if (!local && leadsToOwnMachine(metadataUrl)) throw onlyHere(metadataUrl);
      const place = { stack: stack.stack_name, server, metadataUrl };
      const authority = caFile ? readAuthority(caFile) : null;
      const script = await bootstrapScript({ ...place, agent, privileged, authority });
      const text = format === "line" ? bootstrapLine(script) : script;
      session.printNamed({ ...place, [format]: text }, () => [text.trimEnd()]);
    },
  ),
};

const serverThatComes = async (
  session: Session,
  stackName: string,
  serverName: string | undefined,
) => {
  const { client } = session;
  const end = performance.now() + SERVER_MS_MAX;
  for (;;) {
    const top = await client.findStack(stackName);
    try {
      const named = serverName ?? (await onlyServer(session, top));
      const { stack, name: server } = await placeBelow(client, top, named);
      return { stack, server, metadataUrl: await metadataUrlOf(session, stack, server) };
    } catch (error) {
      const isOver = !top.stack_status.endsWith("_IN_PROGRESS") || performance.now() > end;
      if (isOver || !mayStillCome(error)) throw error;
    }
    await pause(LOOK_MS);
  }
};

const mayStillCome = (error: unknown): boolean =>
  error instanceof NoServerYet || (error instanceof RequestError && error.status === NOT_FOUND);

class NoServerYet extends CommandFailed {}

const onlyHere = (metadataUrl: string): CommandFailed =>
  badUsage(
    `The agents' URL is ${new URL(metadataUrl).origin}, which other machines cannot reach. ${REACHABLE_ADVICE}, or give --local for an agent on this machine.`,
  );

const ReportAnswer = z.looseObject({ report: z.looseObject({ reported: z.string() }) });

const ReportOptions = z.object({
  status: z.enum(
    ["BUILD", "ACTIVE", "SHUTOFF", "ERROR"],
    "--status is BUILD, ACTIVE, SHUTOFF or ERROR",
  ),
  /** If absent, the addresses are unknown. An empty list says that the machine has none. */
  address: z.array(z.string()).or(z.literal(false)).optional(),
  fault: z.string().optional(),
});

const report: Declaration = {
  usage: "report <stack> <server>",
  summary: "report the state of a machine, for the diagnosis",
  options: (command) =>
    command
      .requiredOption("--status <status>", "BUILD, ACTIVE, SHUTOFF or ERROR, as Nova has them")
      .option("--address <address>", "an address of the machine; may be repeated", collect)
      .option("--no-address", "the machine has no address")
      .option("--fault <text>", "the reason of this status"),
  action: onStack(
    ReportOptions,
    async (session, top, { status, address, fault }, serverName: string) => {
      const { stack, name } = await placeBelow(session.client, top, serverName);
      const serverId = await serverIdOf(session, stack, name);
      const addresses = address === false ? [] : address;
      const body = { report: { status, ...(addresses && { addresses }), ...(fault && { fault }) } };
      const path = `/servers/${encodeURIComponent(serverId)}/report`;
      const answer = await session.client.request("PUT", path, ReportAnswer, body);
      session.print(answer, () => [`${name} is reported ${status}.`]);
    },
  ),
};

const serverIdOf = async ({ client }: Session, stack: WireStack, name: string): Promise<string> => {
  const resources = await client.resources(stack);
  const server = resources.find(({ resource_name }) => resource_name === name);
  if (server === undefined || !isServer(server.resource_type)) {
    throw new CommandFailed(`The stack ${stack.stack_name} has no ${SERVER_TYPE} ${name}.`);
  }
  if (server.physical_resource_id) return server.physical_resource_id;
  throw new CommandFailed(`${name} has not been created yet.`);
};

const onlyServer = async ({ client }: Session, stack: WireStack): Promise<string> => {
  const resources = await client.resources(stack, { nestedDepth: NESTED_LEVELS_MAX });
  const paths = openNestedPaths(stack, resources);
  const servers = resources.filter(({ resource_type }) => isServer(resource_type));
  const [first, ...others] = servers.map(paths.ofResource);
  if (first === undefined) {
    throw new NoServerYet(`The stack ${stack.stack_name} has no ${SERVER_TYPE}.`);
  }
  if (others.length === 0) return first;
  const shown = [first, ...others].slice(0, SERVERS_SHOWN_MAX);
  const left = servers.length - shown.length;
  const more = left > 0 ? ` and ${left} more` : "";
  throw badUsage(`Say which server of ${stack.stack_name}: ${shown.join(", ")}${more}.`);
};

const ServerAnswer = z.looseObject({
  resource: z.looseObject({
    resource_status: z.string(),
    attributes: z.looseObject({
      os_collect_config: z
        .looseObject({ request: z.looseObject({ metadata_url: z.url() }) })
        .nullish()
        .catch(null),
    }),
  }),
});

export const metadataUrlOf = async (
  { client }: Session,
  stack: WireStack,
  server: string,
): Promise<string> => {
  const { resource } = await client.request("GET", pathIn(stack, server), ServerAnswer);
  const url = resource.attributes.os_collect_config?.request.metadata_url;
  if (url !== undefined) return url;
  const { resource_status: status } = resource;
  const Failure = /^INIT_|_IN_PROGRESS$/.test(status) ? NoServerYet : CommandFailed;
  throw new Failure(
    `${server} has no metadata URL, its status is ${status}. It is not a server, or not ready yet.`,
  );
};

const NO_ENTITY = "EntityNotFound";
const AT_ONCE = 8;

interface ListedServer {
  readonly stack: string;
  readonly name: string;
  readonly contact: WireServerContact;
}

/** @returns null when Hearth gives the server no document, or it was just deleted. */
const contactOf = async ({ client }: Session, id: string): Promise<WireServerContact | null> => {
  try {
    const path = `/servers/${encodeURIComponent(id)}`;
    return (await client.request("GET", path, ServerContactAnswer)).server;
  } catch (error) {
    if (error instanceof RequestError && error.code === NO_ENTITY) return null;
    throw error;
  }
};

const ofStack = async (session: Session, stack: WireStack): Promise<readonly ListedServer[]> => {
  const resources = await session.client.resources(stack, { nestedDepth: NESTED_LEVELS_MAX });
  const paths = openNestedPaths(stack, resources);
  const listed: ListedServer[] = [];
  const servers = resources.filter(
    (one) => isServer(one.resource_type) && (one.physical_resource_id ?? "") !== "",
  );
  for (let from = 0; from < servers.length; from += AT_ONCE) {
    const some = servers.slice(from, from + AT_ONCE);
    const named = async (one: WireResource): Promise<readonly ListedServer[]> => {
      const contact = await contactOf(session, one.physical_resource_id ?? "");
      const name = paths.ofResource(one);
      return contact === null ? [] : [{ stack: stack.stack_name, name, contact }];
    };
    listed.push(...(await Promise.all(some.map(named))).flat());
  }
  return listed;
};

const HEADERS = ["STACK", "SERVER", "CONTACT", "AGENT", "LAST POLL", "REFUSED POLLS", "REFUSED"];

const cells = ({ stack, name, contact }: ListedServer) => [
  stack,
  name,
  contact.contact,
  contact.agent,
  contact.last_poll ?? "never",
  contact.refused_polls === 0 ? "" : String(contact.refused_polls),
  contact.last_refused,
];
