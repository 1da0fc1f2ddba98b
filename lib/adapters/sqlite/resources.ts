import type { Resource } from "#lib/model/resource.ts";
import type { Resources } from "#lib/ports/store.ts";
import { resourceChange } from "../change-images.ts";
import { decideRowWrite } from "../conditional-write.ts";
import type { ChangeWriter } from "./changes.ts";
import type { Database } from "./database.ts";
import { sqliteDocuments } from "./documents.ts";

export const sqliteResources = (database: Database, changes: ChangeWriter): Resources => {
  const rows = sqliteDocuments<Resource>(database, {
    name: "resources",
    key: ["stack_id", "id"],
    columns: {
      stack_id: ({ stackId }) => stackId,
      id: ({ id }) => id,
      expires_at: ({ expiresAt }) => expiresAt,
    },
  });
  return {
    getResource: async ({ stackId, id }) => rows.get(stackId, id),
    listResources: async (stackId) => rows.list(stackId),
    writeResource: (key, when, change) =>
      database.grouped(() => {
        const before = rows.get(key.stackId, key.id);
        const write = decideRowWrite(key, before, when, change);
        if (write.written) {
          rows.put(write.row);
          changes.add(resourceChange(before, write.row));
        }
        return write;
      }),
  };
};
