import { indexGraph } from "#lib/convergence/graph/indexed-graph.ts";
import { parseMessage } from "#lib/convergence/messages.ts";
import { type Json, type JsonObject, mapOf } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { CheckResourceMessage, Message, QueuedMessage } from "#lib/ports/queue.ts";
import { isExtant } from "#lib/stack/standing-rows.ts";
import type { ShownEngine } from "./step-mode.ts";

const MESSAGE_IDS_MAX = 1_000;

/**
 * `steps` says whether the engine moves only when it is stepped.
 * @returns null when `name` is unknown.
 */
export const readEngine = async (
  engine: ShownEngine,
  name: string,
  search: URLSearchParams,
  steps: boolean,
): Promise<Json> => {
  switch (name) {
    case "rows":
      return rowsOf(engine, search.get("stack_name") ?? "");
    case "messages":
      return { queues: queuesOf(engine) };
    case "visits":
      return { steps, waiting: await waitingDocuments(engine) };
    default:
      return null;
  }
};

const isLocked = (row: Resource, now: number): boolean =>
  row.operation !== null || (row.lease !== null && row.lease.expiresAt > now);

const rowDocument = ({ stack, row }: { stack: Stack; row: Resource }): JsonObject => ({
  uuid: row.id,
  stack_name: stack.name,
  name: row.name,
  physical_id: row.physicalResourceId,
  requires: [...row.requires],
  replaces: row.replaces,
  replaced_by: row.replacedBy,
  template_id: row.templateId,
  action: row.action,
  status: row.status,
  version: row.version,
  locked_by: row.lease?.token ?? null,
});

const rowsOf = async (engine: ShownEngine, stackName: string): Promise<JsonObject> => {
  const { ports } = engine;
  const stacks = engine.stacksNamed(stackName);
  const now = ports.clock.now();
  const rowsOfStacks = await Promise.all(
    stacks.map(async (stack) => {
      const all = await ports.store.listResources(stack.id);
      return all.map((row) => ({ stack, row }));
    }),
  );
  const rows = rowsOfStacks.flat();
  const running = stacks.filter(({ status }) => status === "IN_PROGRESS");
  return {
    rows: rows.filter(({ row }) => isExtant(row)).map(rowDocument),
    leftovers: {
      sync_points: engine.countSyncPoints(running.map(({ traversalId }) => traversalId)),
      locks: rows.filter(({ row }) => isLocked(row, now)).length,
    },
  };
};

const queuesOf = ({ queue: all }: ShownEngine): JsonObject => {
  const byQueue = Map.groupBy(all.messages(), ({ queue }) => queue);
  return mapOf(
    [...byQueue].map(([queue, messages]): [string, JsonObject] => [
      queue,
      {
        count: messages.length,
        ids: messages.slice(0, MESSAGE_IDS_MAX).map(({ messageId }) => messageId),
      },
    ]),
  );
};

const WAITING_SHOWN_MAX = 200;
const SHOWN: readonly string[] = ["prepare", "check", "poll"];

const visitedNode = async (
  { store }: ShownEngine["ports"],
  { stackId, traversalId, resourceId, isUpdate }: CheckResourceMessage,
) => {
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

const waitingDocuments = (engine: ShownEngine): Promise<JsonObject[]> => {
  const waiting = engine.queue
    .messages()
    .filter(({ queue }) => SHOWN.includes(queue))
    .toSorted((one, other) => one.visibleAt - other.visibleAt);
  return Promise.all(
    waiting.slice(0, WAITING_SHOWN_MAX).map((message) => waitingDocument(engine, message)),
  );
};
