/** What the queues carry: ids only, so that no secret and no stale state travels. Parsed once, at the receiving edge. */
import * as z from "zod";
import { Bug } from "#lib/errors.ts";
import type { NodeKey } from "#lib/model/graph.ts";
import type { CheckResourceMessage, Message } from "#lib/ports/queue.ts";

const ids = { tenant: z.string(), stackId: z.string(), traversalId: z.string() };

const messageSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("check_resource"),
    ...ids,
    resourceId: z.string(),
    isUpdate: z.boolean(),
  }),
  z.object({ type: z.literal("prepare_traversal"), ...ids }),
]);

/** Only we write these, so one that does not parse is a bug: it goes to the dead-letter queue. */
export const parseMessage = (text: string): Message => {
  try {
    return messageSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Bug("a queue message does not parse", { cause });
  }
};

export interface TraversalKey {
  readonly tenant: string;
  readonly stackId: string;
  readonly traversalId: string;
}

export const checkResourceMessage = (
  traversal: TraversalKey,
  node: NodeKey,
): CheckResourceMessage => ({
  type: "check_resource",
  tenant: traversal.tenant,
  stackId: traversal.stackId,
  traversalId: traversal.traversalId,
  resourceId: node.resourceId,
  isUpdate: node.isUpdate,
});
