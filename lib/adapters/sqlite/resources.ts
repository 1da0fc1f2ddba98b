import type { Resource } from "#lib/model/resource.ts";
import type { ResourceKey, Store } from "#lib/ports/store.ts";
import { resourceChange } from "../change-images.ts";
import { decideRowWrite } from "../conditional-write.ts";
import type { ChangeWriter } from "./changes.ts";
import { type Database, recordOf } from "./database.ts";

type ResourceMethods = Pick<Store, "getResource" | "listResources" | "writeResource">;

const PUT_RESOURCE = `INSERT INTO resources (stack_id, id, expires_at, body) VALUES (?, ?, ?, ?)
  ON CONFLICT (stack_id, id) DO UPDATE SET expires_at = excluded.expires_at, body = excluded.body`;

export const sqliteResources = (database: Database, changes: ChangeWriter): ResourceMethods => {
  const read = ({ stackId, id }: ResourceKey): Resource | null => {
    const row = database.get(
      "SELECT body FROM resources WHERE stack_id = ? AND id = ?",
      stackId,
      id,
    );
    return row && recordOf<Resource>(row);
  };

  return {
    getResource: async (key) => read(key),
    listResources: async (stackId) =>
      database
        .all("SELECT body FROM resources WHERE stack_id = ? ORDER BY rowid", stackId)
        .map((row) => recordOf<Resource>(row)),
    writeResource: async (key, when, change) =>
      database.grouped(() => {
        const before = read(key);
        const write = decideRowWrite(key, before, when, change);
        if (write.written) {
          const { stackId, id, expiresAt } = write.row;
          database.run(PUT_RESOURCE, stackId, id, expiresAt, JSON.stringify(write.row));
          changes.tell(resourceChange(before, write.row));
        }
        return write;
      }),
  };
};
