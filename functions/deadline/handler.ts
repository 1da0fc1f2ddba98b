/**
 * Handles the supervisor's timeout. If the supervisor's clock is ahead of ours, the answer says how
 * much longer it must wait.
 */
import * as z from "zod";
import { logger } from "#functions/logger.ts";
import { type DeadlineOutcome, endAtDeadline } from "#lib/convergence/traversal/deadline.ts";
import type { Ports } from "#lib/ports/ports.ts";

const taskSchema = z.object({
  tenant: z.string(),
  stackId: z.string(),
  traversalId: z.string(),
});

export const handler =
  (ports: Ports) =>
  async (event: unknown): Promise<DeadlineOutcome & z.infer<typeof taskSchema>> => {
    const traversal = taskSchema.parse(event);
    const outcome = await endAtDeadline(ports, traversal);
    logger.info("a stack's time is up", { ...traversal, ended: outcome.ended });
    return { ...traversal, ...outcome };
  };
