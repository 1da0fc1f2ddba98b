import type { Resource } from "#lib/model/resource.ts";
import type { Resources } from "#lib/ports/store.ts";
import { resourceChange } from "../local/change-images.ts";
import { localResources } from "../local/writes.ts";
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
    // Fields that rows of former versions lack.
    defaults: { outcomeUnknown: false, externalId: null },
  });
  return localResources(rows, database.grouped, (before, after) =>
    changes.add(resourceChange(before, after)),
  );
};
