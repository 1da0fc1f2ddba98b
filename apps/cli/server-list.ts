import { NESTED_LEVELS_MAX, openNestedPaths } from "#client/nested-paths.ts";
import {
  ServerContactAnswer,
  StacksAnswer,
  type WireResource,
  type WireServerContact,
  type WireStack,
} from "#client/wire.ts";
import { RequestError } from "#lib/errors.ts";
import { mergedMaps } from "#lib/json.ts";
import { tableLines } from "./print.ts";
import type { Session } from "./session.ts";

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

const ofStack = async (
  session: Session,
  stack: WireStack,
  isServer: (type: string) => boolean,
): Promise<readonly ListedServer[]> => {
  const resources = await session.client.resources(stack, {
    nestedDepth: NESTED_LEVELS_MAX,
  });
  const paths = openNestedPaths(stack);
  paths.learnResources(resources);
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

export const listServers = async (
  session: Session,
  stackName: string | undefined,
  isServer: (type: string) => boolean,
): Promise<void> => {
  const stacks =
    stackName === undefined
      ? (await session.client.request("GET", "/stacks", StacksAnswer)).stacks
      : [await session.client.findStack(stackName)];
  const servers: ListedServer[] = [];
  for (const stack of stacks) servers.push(...(await ofStack(session, stack, isServer)));
  const shown = servers.map(({ stack, name, contact }) =>
    mergedMaps<unknown>({ stack, name }, contact),
  );
  session.print({ servers: shown }, () => tableLines(HEADERS, servers.map(cells)));
};
