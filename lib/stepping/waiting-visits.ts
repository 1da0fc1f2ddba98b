import { indexGraph } from "#lib/convergence/graph/indexed-graph.ts";
import { parseMessage } from "#lib/convergence/messages.ts";
import type { JsonObject } from "#lib/json.ts";
import type { CheckResourceMessage, Message } from "#lib/ports/queue.ts";
import type { QueuedMessage } from "#lib/ports/receiving-queue.ts";
import type { ShownEngine } from "./stepped-engine.ts";

const WAITING_SHOWN_MAX = 200;
const SHOWN: readonly string[] = ["prepare", "check", "poll"];

interface VisitedNode {
  readonly number: number | null;
  readonly name: string | null;
  readonly actsForOther: boolean;
}

const visitedNode = async (
  { store }: ShownEngine["ports"],
  { stackId, traversalId, resourceId, isUpdate }: CheckResourceMessage,
): Promise<VisitedNode> => {
  const stored = await store.getGraph(stackId, traversalId);
  const row = await store.getResource({ stackId, id: resourceId });
  if (stored === null) return { number: null, name: row?.name ?? null, actsForOther: false };
  const index = indexGraph({ store }, stored);
  const at = await index.positionOf({ resourceId, isUpdate });
  const name = at === undefined ? null : (await index.nodeAt(at)).name;
  const number = index.graph.traversalNumber;
  return { number, name: name ?? row?.name ?? null, actsForOther: at === undefined };
};

const nodeFields = async (engine: ShownEngine, message: Message) => {
  if (message.type === "prepare_traversal") return { row: null, name: null, is_update: null };
  const { number, name, actsForOther } = await visitedNode(engine.ports, message);
  const { resourceId: row, isUpdate } = message;
  return { row, name, is_update: isUpdate, acts_for_other: actsForOther, traversal: number };
};

const waitingDocument = async (engine: ShownEngine, queued: QueuedMessage): Promise<JsonObject> => {
  const message = parseMessage(queued.body);
  const stack = await engine.ports.store.getStack(message.tenant, message.stackId);
  const isCurrent = stack?.traversalId === message.traversalId;
  return {
    id: queued.messageId,
    queue: queued.queue,
    type: message.type,
    stack_id: message.stackId,
    stack_name: stack?.name ?? null,
    traversal: isCurrent ? (stack?.traversalNumber ?? null) : null,
    is_current: isCurrent,
    ...(await nodeFields(engine, message)),
    due_ms: Math.max(0, queued.visibleAt - engine.ports.clock.now()),
    receives: queued.receiveCount,
  };
};

export const waitingDocuments = (engine: ShownEngine): Promise<JsonObject[]> => {
  const waiting = engine.queue
    .messages()
    .filter(({ queue }) => SHOWN.includes(queue))
    .toSorted((one, other) => one.visibleAt - other.visibleAt);
  return Promise.all(
    waiting.slice(0, WAITING_SHOWN_MAX).map((message) => waitingDocument(engine, message)),
  );
};
