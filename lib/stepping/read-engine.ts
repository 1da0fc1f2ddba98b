import type { Json, JsonObject } from "#lib/json.ts";
import { mapOf } from "#lib/json-map.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import { isExtant } from "#lib/stack/best-resource.ts";
import type { ShownEngine } from "./stepped-engine.ts";
import { waitingDocuments } from "./waiting-visits.ts";

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

const rowDocument = (stack: Stack, row: Resource): JsonObject => ({
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
  const rows = await Promise.all(
    stacks.map(async (stack) => {
      const all = await ports.store.listResources(stack.id);
      return all.map((row) => ({ stack, row }));
    }),
  );
  const running = stacks.filter(({ status }) => status === "IN_PROGRESS");
  return {
    rows: rows
      .flat()
      .filter(({ row }) => isExtant(row))
      .map(({ stack, row }) => rowDocument(stack, row)),
    leftovers: {
      sync_points: engine.countSyncPoints(running.map(({ traversalId }) => traversalId)),
      locks: rows.flat().filter(({ row }) => isLocked(row, now)).length,
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
