import { LATER_RESOURCE_FIELDS, type Resource } from "#lib/model/resource.ts";
import type { Resources, RowOutline } from "#lib/ports/store.ts";
import { resourceChange } from "../local/change-images.ts";
import { localResources } from "../local/store.ts";
import type { ChangeWriter } from "./changes.ts";
import { type Database, recordOf, textOf } from "./database.ts";
import { columnsOf, sqliteDocuments } from "./documents.ts";

const ROWS_IN_PAGE_MAX = 250;
const PAGE = "WHERE stack_id = ? AND id > ? ORDER BY id LIMIT ?";

/**
 * SQLite searches this many rows for a name at a time, and the process does not load the others.
 */
const LAST_IN_PAGE = `SELECT id FROM resources WHERE stack_id = ? AND id > ?
  ORDER BY id LIMIT 1 OFFSET ${ROWS_IN_PAGE_MAX - 1}`;
const NAMED = "WHERE stack_id = ? AND id > ? AND body ->> '$.name' = ?";
const NAMED_UP_TO = `${NAMED} AND id <= ?`;

/** SQLite extracts these fields, so that the process never loads the long values. */
const OUTLINES = `SELECT json_object(${[
  "id",
  "name",
  "type",
  "action",
  "status",
  "templateId",
  "physicalResourceId",
  "replaces",
  "replacedBy",
  "createdAt",
  "updatedAt",
]
  .map((field) => `'${field}', body ->> '$.${field}'`)
  .join(", ")}) AS body FROM resources WHERE stack_id = ? ORDER BY rowid`;

export const sqliteResources = (database: Database, changes: ChangeWriter): Resources => {
  const rows = sqliteDocuments<Resource>(database, {
    name: "resources",
    key: ["stack_id", "id"],
    columns: columnsOf("stackId", "id", "expiresAt"),
    asRead: (row) => row,
    defaults: LATER_RESOURCE_FIELDS,
  });
  return {
    ...localResources(rows, database.grouped, (before, after) =>
      changes.add(resourceChange(before, after)),
    ),
    listRows: async (stackId, after) => {
      const page = rows.select(PAGE, stackId, after ?? "", ROWS_IN_PAGE_MAX);
      return {
        rows: page,
        next: page.length < ROWS_IN_PAGE_MAX ? null : (page.at(-1)?.id ?? null),
      };
    },
    listRowsNamed: async (stackId, name, after) => {
      const last = database.get(LAST_IN_PAGE, stackId, after ?? "");
      const next = last === null ? null : textOf(last, "id");
      const named =
        next === null
          ? rows.select(NAMED, stackId, after ?? "", name)
          : rows.select(NAMED_UP_TO, stackId, after ?? "", name, next);
      return { rows: named, next };
    },
    listRowOutlines: async (stackId) =>
      database.all(OUTLINES, stackId).map((row) => recordOf<RowOutline>(row)),
  };
};
