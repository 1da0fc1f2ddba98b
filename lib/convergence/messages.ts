/**
 * Messages carry ids only, so no secret travels and nothing becomes stale. A first poll may carry
 * the provider's answer, which counts only under the lease that it names (P26).
 */
import * as z from "zod";
import { Bug } from "#lib/errors.ts";
import { parseJson } from "#lib/json.ts";
import type { NodeKey } from "#lib/model/graph.ts";
import type { Resource, TraversalNode } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { CheckResourceMessage, Message, PrepareTraversalMessage } from "#lib/ports/queue.ts";

const ids = { tenant: z.string(), stackId: z.string(), traversalId: z.string() };

const keptSchema = z.object({
  token: z.string(),
  handle: z.string(),
  physicalResourceId: z.string(),
});

const messageSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("check_resource"),
    ...ids,
    resourceId: z.string(),
    isUpdate: z.boolean(),
    kept: z.optional(keptSchema),
    endsProcess: z.optional(z.boolean()),
  }),
  z.object({
    type: z.literal("prepare_traversal"),
    ...ids,
    firstLeaf: z.exactOptional(z.int()),
    endsProcess: z.optional(z.boolean()),
  }),
]);

/** Only Hearth writes these messages, so one that does not parse is a bug. */
export const parseMessage = (text: string): Message => {
  try {
    return messageSchema.parse(parseJson(text));
  } catch (cause) {
    throw new Bug("a queue message does not parse", { cause });
  }
};

export interface TraversalKey {
  readonly tenant: string;
  readonly stackId: string;
  readonly traversalId: string;
}

export const currentTraversal = ({ tenant, id, traversalId }: Stack): TraversalKey => ({
  tenant,
  stackId: id,
  traversalId,
});

type VisitMessage = Omit<CheckResourceMessage, "kept">;

export const checkResourceMessage = (traversal: TraversalKey, node: NodeKey): VisitMessage => ({
  type: "check_resource",
  tenant: traversal.tenant,
  stackId: traversal.stackId,
  traversalId: traversal.traversalId,
  resourceId: node.resourceId,
  isUpdate: node.isUpdate,
});

export const idsOf = (message: Message): VisitMessage | PrepareTraversalMessage =>
  message.type === "check_resource" ? checkResourceMessage(message, message) : message;

export const visitOfOwner = (
  { tenant, stackId, id }: Pick<Resource, "tenant" | "stackId" | "id">,
  { traversalId, isUpdate }: TraversalNode,
): VisitMessage =>
  checkResourceMessage({ tenant, stackId, traversalId }, { resourceId: id, isUpdate });
