/** Stacks and their names. */
import type { Stack } from "#lib/model/stack.ts";
import type { Store } from "#lib/ports/store.ts";
import { stackChange } from "../change-images.ts";
import { decideStackWrite } from "../conditional-write.ts";
import type { ChangeWriter } from "./changes.ts";
import type { Counters } from "./counters.ts";
import { type Database, type DatabaseRow, recordOf, textOf } from "./database.ts";

type StackMethods = Pick<
  Store,
  | "createStack"
  | "getStack"
  | "listStacks"
  | "listUnsettledStacks"
  | "writeStack"
  | "putStackName"
  | "getStackName"
  | "takeOverStackName"
>;

const PUT_STACK = `INSERT INTO stacks (tenant, id, settled, created_at, body) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (tenant, id) DO UPDATE SET settled = excluded.settled, body = excluded.body`;

/** Records from before stacks could nest say nothing of an owner. */
const stackOf = (row: DatabaseRow): Stack => ({ ...NO_OWNER, ...recordOf<Stack>(row) });
const NO_OWNER: Pick<Stack, "owner"> = { owner: null };

export const sqliteStacks = (
  database: Database,
  changes: ChangeWriter,
  counters: Counters,
): StackMethods => {
  const read = (tenant: string, id: string): Stack | null => {
    const row = database.get("SELECT body FROM stacks WHERE tenant = ? AND id = ?", tenant, id);
    return row && stackOf(row);
  };
  const put = (before: Stack | null, stack: Stack): void => {
    const { tenant, id, settled, createdAt } = stack;
    database.run(PUT_STACK, tenant, id, settled ? 1 : 0, createdAt, JSON.stringify(stack));
    if (before?.traversalId !== stack.traversalId) counters.add("traversals");
    changes.tell(stackChange(before, stack));
  };

  return {
    createStack: async (stack) =>
      database.grouped(() => {
        if (read(stack.tenant, stack.id)) return "exists";
        put(null, stack);
        return "created";
      }),
    getStack: async (tenant, id) => read(tenant, id),
    listStacks: async (tenant) =>
      database
        .all(
          "SELECT body FROM stacks WHERE tenant = ? ORDER BY created_at DESC, rowid DESC",
          tenant,
        )
        .map(stackOf),
    listUnsettledStacks: async () =>
      database.all("SELECT body FROM stacks WHERE settled = 0 ORDER BY rowid").map(stackOf),
    writeStack: async (tenant, id, when, change) =>
      database.grouped(() => {
        const before = read(tenant, id);
        const write = decideStackWrite(before, when, change);
        if (write.written) put(before, write.stack);
        return write;
      }),
    ...sqliteStackNames(database),
  };
};

type NameMethods = Pick<Store, "putStackName" | "getStackName" | "takeOverStackName">;

const sqliteStackNames = (database: Database): NameMethods => {
  const read = (tenant: string, name: string): string | null => {
    const row = database.get(
      "SELECT stack_id FROM stack_names WHERE tenant = ? AND name = ?",
      tenant,
      name,
    );
    return row && textOf(row, "stack_id");
  };
  return {
    putStackName: async (tenant, name, stackId) =>
      database.grouped(() => {
        const taken = read(tenant, name);
        if (taken !== null) return taken;
        database.run(
          "INSERT INTO stack_names (tenant, name, stack_id) VALUES (?, ?, ?)",
          tenant,
          name,
          stackId,
        );
        return stackId;
      }),
    getStackName: async (tenant, name) => read(tenant, name),
    takeOverStackName: async (tenant, name, oldId, newId) =>
      database.run(
        "UPDATE stack_names SET stack_id = ? WHERE tenant = ? AND name = ? AND stack_id = ?",
        newId,
        tenant,
        name,
        oldId,
      ) === 1,
  };
};
