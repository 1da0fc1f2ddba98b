/** Where a resource of a stack is found, for the commands about one resource. */
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import { ResourceShape, type WireStack } from "#client/wire.ts";
import { CommandFailed } from "./failure.ts";
import type { Session } from "./session.ts";

const ResourceAnswer = z.looseObject({ resource: ResourceShape });

export interface ResourcePlace {
  readonly stack: WireStack;
  readonly name: string;
}

/** `group/member` is a resource of the nested stack `group`, as lists name it. */
export const placeBelow = async (
  session: Session,
  top: WireStack,
  resource: string,
): Promise<ResourcePlace> => {
  const names = resource.split("/");
  const name = names.pop() ?? "";
  let stack = top;
  for (const group of names) stack = await nestedStack(session, stack, group);
  return { stack, name };
};

export const resourcePath = async (
  session: Session,
  nameOrId: string,
  resource: string,
): Promise<string> => {
  const top = await session.client.findStack(nameOrId);
  const { stack, name } = await placeBelow(session, top, resource);
  return pathIn(stack, name);
};

const nestedStack = async (
  { client }: Session,
  stack: WireStack,
  name: string,
): Promise<WireStack> => {
  const { resource } = await client.request("GET", pathIn(stack, name), ResourceAnswer);
  const { links, physical_resource_id: id } = resource;
  const nests = links?.some(({ rel }) => rel === "nested") ?? false;
  if (!nests || !id) throw new CommandFailed(`The resource ${name} has no nested stack.`);
  return client.findStack(id);
};

export const pathIn = (stack: WireStack, resource: string): string =>
  `${stackPath(stack)}/resources/${encodeURIComponent(resource)}`;
