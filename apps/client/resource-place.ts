/** Finds a resource by its path in lists: `group/member` is in the stack of `group`. */
import { type Client, stackPath } from "./client.ts";
import type { WireStack } from "./wire.ts";

export interface ResourcePlace {
  readonly stack: WireStack;
  readonly name: string;
}

export const pathIn = (stack: WireStack, resource: string): string =>
  `${stackPath(stack)}/resources/${encodeURIComponent(resource)}`;

export const placeBelow = async (
  client: Client,
  top: WireStack,
  resource: string,
): Promise<ResourcePlace> => {
  const names = resource.split("/");
  const name = names.pop() ?? "";
  return { stack: await client.stackBelow(top, names), name };
};
