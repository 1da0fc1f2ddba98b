import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { isGone, nestedStackId } from "./nested-stack.ts";

export const stackBelow = async (
  ports: Ports,
  { tenant, id }: Pick<Resource, "tenant" | "id">,
): Promise<Stack | null> => {
  const stack = await ports.store.getStack(tenant, nestedStackId(ports, id));
  return stack === null || isGone(stack) ? null : stack;
};
