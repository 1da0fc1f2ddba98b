import { pathIn, placeBelow } from "#client/resource-place.ts";
import type { Session } from "./session.ts";

export const resourcePath = async (
  { client }: Session,
  nameOrId: string,
  resource: string,
): Promise<string> => {
  const { stack, name } = await placeBelow(client, await client.findStack(nameOrId), resource);
  return pathIn(stack, name);
};
