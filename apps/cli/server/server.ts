import type { Command } from "commander";
import { z } from "zod";
import { pathIn, placeBelow } from "#client/client.ts";
import { DeploymentsAnswer } from "#client/deployments.ts";
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
import { collect, flag, option } from "../options.ts";
import { tableLines, terminalWidth } from "../print.ts";
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

/** Without a stack it looks into all of the project. `server` is a name in lists, or an id. */
export const knowsServer = async (
  session: Session,
  server: string,
  stack: WireStack | null,
): Promise<boolean> => {
  for (const top of await stacksOf(session, stack)) {
    const resources = await session.client.resources(top, { nestedDepth: NESTED_LEVELS_MAX });
    const paths = openNestedPaths(top, resources);
    const found = resources.some(
      (one) =>
        isServer(one.resource_type) &&
        [paths.ofResource(one), one.physical_resource_id].includes(server),
    );
    if (found) return true;
  }
  return false;
};

const stacksOf = async (
  { client }: Session,
  stack: WireStack | null,
): Promise<readonly WireStack[]> =>
  stack === null ? (await client.request("GET", "/stacks", StacksAnswer)).stacks : [stack];

const SERVERS_SHOWN_MAX = 20;
/** A stack gets its servers a moment after its creation was accepted. */
const SERVER_MS_MAX = 30_000;
const LOOK_MS = 250;
const NOT_FOUND = 404;

const list: Declaration = {
  usage: "list [stack]",
  summary: "the servers with their agents, last and refused polls, and unfinished deployments",
  action: onHost(NO_OPTIONS, async (session, _options, stackName?: string) => {
    const named = stackName === undefined ? null : await session.client.findStack(stackName);
    const unfinished = await unfinishedByServer(session);
    const servers: ListedServer[] = [];
    for (const stack of await stacksOf(session, named))
      servers.push(...(await ofStack(session, stack)));
    const workOn = ({ id }: ListedServer) => unfinished.get(id) ?? [];
    const shown = servers.map((server) => {
      const { stack, name, contact } = server;
      return mergedMaps<unknown>({ stack, name }, contact, { unfinished: workOn(server) });
    });
    const rows = servers.map((server) => [...cells(server), workOn(server).join(", ")]);
    session.print({ servers: shown }, () => tableLines(HEADERS, rows, terminalWidth()));
  }),
};

/** The deployments of each server that have not ended: they run there, or wait for it. */
const unfinishedByServer = async ({
  client,
}: Session): Promise<ReadonlyMap<string, readonly string[]>> => {
  const path = "/software_deployments?with_names=true";
  const { software_deployments: all } = await client.request("GET", path, DeploymentsAnswer);
  const open = Map.groupBy(
    all.filter(({ status }) => status === "IN_PROGRESS"),
    ({ server_id }) => server_id,
  );
  return new Map(
    [...open].map(([id, some]) => [id, some.map((one) => one.names?.resource ?? one.id)]),
  );
};

const BootstrapOptions = z.object({
  agent: option(
    "--agent <which>",
    "hearth: install Hearth's; stock: configure those of the image",
    z.enum(["hearth", "stock"]).default("hearth"),
  ),
  format: option(
    "--format <how>",
    "line: for a shell; script: for a file or cloud-init",
    z.enum(["line", "script"]).default("line"),
  ),
  privileged: flag("--privileged", "run deployed scripts as root (Hearth's agent only)"),
  local: flag("--local", "the machine is this one, so a loopback URL will do"),
  caFile: z.string().optional(),
});

const bootstrap: Declaration = {
  usage: "bootstrap <stack> [server]",
  summary: "print a script that makes a machine this server; root runs it there",
  examples: ["server bootstrap web web/0", "server bootstrap web --format script > user-data"],
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

/** Waits for a server that its stack is about to make. */
export const serverThatComes = async (
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
  status: option(
    "--status <status>",
    "as Nova has them",
    z.enum(["BUILD", "ACTIVE", "SHUTOFF", "ERROR"]),
  ),
  /** If absent, the addresses are unknown. An empty list says that the machine has none. */
  address: z.array(z.string()).or(z.literal(false)).optional(),
  fault: option("--fault <text>", "the reason of this status", z.string().optional()),
});

const report: Declaration = {
  usage: "report <stack> <server>",
  summary: "report the state of a machine, for the diagnosis",
  words: (command) =>
    command
      .option("--address <address>", "an address of the machine; may be repeated", collect)
      .option("--no-address", "the machine has no address"),
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
  readonly id: string;
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
      const id = one.physical_resource_id ?? "";
      const contact = await contactOf(session, id);
      const name = paths.ofResource(one);
      return contact === null ? [] : [{ id, stack: stack.stack_name, name, contact }];
    };
    listed.push(...(await Promise.all(some.map(named))).flat());
  }
  return listed;
};

const HEADERS = [
  "STACK",
  "SERVER",
  "CONTACT",
  "AGENT",
  "LAST POLL",
  "REFUSED POLLS",
  "REFUSED",
  "UNFINISHED",
];

const cells = ({ stack, name, contact }: ListedServer) => [
  stack,
  name,
  contact.contact,
  contact.agent,
  contact.last_poll ?? "never",
  contact.refused_polls === 0 ? "" : String(contact.refused_polls),
  contact.last_refused,
];
