import { LATER_STACK_FIELDS, type Stack } from "#lib/model/stack.ts";
import type { StackNames, Stacks } from "#lib/ports/store.ts";
import { stackChange } from "../local/change-images.ts";
import { localStackWrites, unsettledPage } from "../local/store.ts";
import type { ChangeWriter } from "./changes.ts";
import { type Database, numberOf, textOf } from "./database.ts";
import { columnsOf, sqliteDocuments } from "./documents.ts";
import type { Counters } from "./outlook.ts";

/** If the stack no longer exists, the list starts from the beginning. */
const UNSETTLED_AFTER = `WHERE settled = 0
  AND rowid > COALESCE((SELECT rowid FROM stacks WHERE tenant = ? AND id = ?), 0)
  ORDER BY rowid LIMIT ?`;

const AMONG_IDS = "WHERE tenant = ? AND id IN (SELECT value FROM json_each(?))";

export const sqliteStacks = (
  database: Database,
  changes: ChangeWriter,
  counters: Counters,
): Stacks => {
  const stacks = sqliteDocuments<Stack>(database, {
    name: "stacks",
    key: ["tenant", "id"],
    columns: columnsOf("tenant", "id", "settled", "createdAt", "expiresAt"),
    asRead: (stack) => stack,
    defaults: LATER_STACK_FIELDS,
  });
  return {
    ...localStackWrites(stacks, database.grouped, (before, after) => {
      if (before?.traversalId !== after.traversalId) counters.add("traversals");
      changes.add(stackChange(before, after));
    }),
    listStacks: async (tenant) =>
      stacks.select("WHERE tenant = ? ORDER BY created_at DESC, rowid DESC", tenant),
    getStacks: async (tenant, ids) => {
      const read = stacks.select(AMONG_IDS, tenant, JSON.stringify(ids));
      const byId = new Map(read.map((stack) => [stack.id, stack]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    listStacksById: async (tenant, marker, limit) =>
      stacks.select("WHERE tenant = ? AND id > ? ORDER BY id LIMIT ?", tenant, marker ?? "", limit),
    listUnsettledStacks: async (after, limit) =>
      unsettledPage(
        stacks.select(UNSETTLED_AFTER, after?.tenant ?? null, after?.id ?? null, limit + 1),
        limit,
      ),
  };
};

const GET_NAME = "SELECT stack_id FROM stack_names WHERE tenant = ? AND name = ?";
const PUT_NAME = "INSERT INTO stack_names (tenant, name, stack_id) VALUES (?, ?, ?)";
const LIST_NAMED = `SELECT stack_id, created_at FROM stack_names AS names
  LEFT JOIN stacks ON stacks.tenant = names.tenant AND stacks.id = names.stack_id
  WHERE names.tenant = ? ORDER BY names.name`;
const DELETE_NAME = "DELETE FROM stack_names WHERE tenant = ? AND name = ? AND stack_id = ?";
const TAKE_OVER_NAME =
  "UPDATE stack_names SET stack_id = ? WHERE tenant = ? AND name = ? AND stack_id = ?";

export const sqliteStackNames = (database: Database): StackNames => {
  const read = (tenant: string, name: string): string | null => {
    const row = database.get(GET_NAME, tenant, name);
    return row && textOf(row, "stack_id");
  };
  return {
    putStackName: (tenant, name, { id }) =>
      database.grouped(() => {
        const taken = read(tenant, name);
        if (taken === null) database.run(PUT_NAME, tenant, name, id);
        return taken ?? id;
      }),
    getStackName: async (tenant, name) => read(tenant, name),
    takeOverStackName: (tenant, name, oldId, { id }) =>
      database.grouped(() => database.run(TAKE_OVER_NAME, id, tenant, name, oldId) === 1),
    listNamedStacks: async (tenant) =>
      database.all(LIST_NAMED, tenant).map((row) => ({
        id: textOf(row, "stack_id"),
        createdAt: row["created_at"] === null ? null : numberOf(row, "created_at"),
      })),
    deleteStackName: (tenant, name, stackId) =>
      database.grouped(() => {
        database.run(DELETE_NAME, tenant, name, stackId);
      }),
  };
};
