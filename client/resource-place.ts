/** Where things are, by the names that lists have: `group/member` is in the stack of `group`. */
import { z } from "zod";
import { type Client, stackPath } from "./client.ts";
import { NoNestedStack } from "./errors.ts";
import { ResourceShape, type WireStack } from "./wire.ts";

const { links: Links, physical_resource_id: PhysicalId } = ResourceShape.shape;
const ResourceAnswer = z.looseObject({
  resource: z.looseObject({ links: Links, physical_resource_id: PhysicalId }),
});

export interface ResourcePlace {
  readonly stack: WireStack;
  readonly name: string;
}

export const pathIn = (stack: WireStack, resource: string): string =>
  `${stackPath(stack)}/resources/${encodeURIComponent(resource)}`;

const nestedStack = async (
  client: Pick<Client, "request" | "findStack">,
  stack: WireStack,
  name: string,
): Promise<WireStack> => {
  const { resource } = await client.request("GET", pathIn(stack, name), ResourceAnswer);
  const { links, physical_resource_id: id } = resource;
  const nests = links?.some(({ rel }) => rel === "nested") ?? false;
  if (!nests || !id) throw new NoNestedStack(`The resource ${name} has no nested stack.`);
  return client.findStack(id);
};

/** The stack below all of these resources, each of which nests the next. */
export const stackBelow = async (
  client: Pick<Client, "request" | "findStack">,
  top: WireStack,
  names: readonly string[],
): Promise<WireStack> => {
  let stack = top;
  for (const name of names) stack = await nestedStack(client, stack, name);
  return stack;
};

export const placeBelow = async (
  client: Client,
  top: WireStack,
  resource: string,
): Promise<ResourcePlace> => {
  const names = resource.split("/");
  const name = names.pop() ?? "";
  return { stack: await stackBelow(client, top, names), name };
};
