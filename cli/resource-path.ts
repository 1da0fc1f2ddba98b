/** Where a resource of a stack is found, for the commands about one resource. */
import { stackPath } from "#client/client.ts";
import type { WireStack } from "#client/wire.ts";
import type { Session } from "./session.ts";

export const resourcePath = async (
  session: Session,
  nameOrId: string,
  resource: string,
): Promise<string> => pathIn(await session.client.findStack(nameOrId), resource);

export const pathIn = (stack: WireStack, resource: string): string =>
  `${stackPath(stack)}/resources/${encodeURIComponent(resource)}`;
