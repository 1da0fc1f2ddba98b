/**
 * The supervisor's task. It stores its token, so that the change that ends the stack can end the
 * wait. Then it checks whether that change came first. No end can be missed: the task writes the
 * token before it reads the stack, and the stream's handler reads the token after the stack was
 * written. So one of the two always sees the other.
 */
import * as z from "zod";
import { logger } from "#functions/logger.ts";
import type { Ender, StackEnd } from "#functions/supervise-stacks/supervisor.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";

const taskSchema = z.object({
  token: z.string(),
  tenant: z.string(),
  stackId: z.string(),
  traversalId: z.string(),
});

export const handler =
  (ports: { readonly store: Pick<Ports["store"], "getStack"> }, ender: Ender) =>
  async (event: unknown): Promise<void> => {
    const { token, tenant, stackId, traversalId } = taskSchema.parse(event);
    await ender.putToken(traversalId, token);
    const outcome = endOf(await ports.store.getStack(tenant, stackId), traversalId);
    if (outcome !== null) await ender.end(token, outcome);
    logger.info("watches a stack", { tenant, stackId, traversalId, outcome });
  };

const endOf = (stack: Stack | null, traversalId: string): StackEnd | null => {
  if (stack === null || stack.traversalId !== traversalId) return "OVERTAKEN";
  return stack.status === "IN_PROGRESS" ? null : stack.status;
};
