/** Arrivals rewrite one small record: the core cuts wide nodes into buckets, so that a point has few members. */
import { assert } from "#lib/errors.ts";
import type { NodeData } from "#lib/model/graph.ts";
import type { SyncPoint, SyncPointKey } from "#lib/model/sync-point.ts";
import { type Store, SYNC_POINT_DELETE_KEYS_MAX } from "#lib/ports/store.ts";
import { decideArrival } from "../conditional-write.ts";
import type { Counters } from "./counters.ts";
import { type Database, numberOf, recordOf } from "./database.ts";

type SyncPointMethods = Pick<
  Store,
  "arrive" | "getSyncPoint" | "putInputData" | "listInputData" | "deleteSyncPoints"
>;

const WHERE_KEY = "WHERE traversal_id = ? AND resource_id = ? AND is_update = ? AND bucket = ?";

const PUT_POINT = `INSERT INTO sync_points (traversal_id, resource_id, is_update, bucket, expires_at, body)
  VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at, body = excluded.body`;

const PUT_DATA = `INSERT INTO input_data
  (traversal_id, resource_id, is_update, bucket, predecessor, expires_at, body) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at, body = excluded.body`;

const columnsOf = ({ traversalId, resourceId, isUpdate, bucket }: SyncPointKey) =>
  [traversalId, resourceId, isUpdate ? 1 : 0, bucket] as const;

export const sqliteSyncPoints = (database: Database, counters: Counters): SyncPointMethods => {
  const read = (key: SyncPointKey): SyncPoint | null => {
    const row = database.get(`SELECT body FROM sync_points ${WHERE_KEY}`, ...columnsOf(key));
    return row && recordOf<SyncPoint>(row);
  };

  return {
    arrive: async (key, arrival) =>
      database.grouped(() => {
        const result = decideArrival(key, read(key), arrival);
        if (result.accepted) {
          const { expiresAt } = arrival;
          database.run(PUT_POINT, ...columnsOf(key), expiresAt, JSON.stringify(result.syncPoint));
          counters.add("sync_point_writes");
        }
        return result;
      }),
    getSyncPoint: async (key) => read(key),
    putInputData: async (key, predecessor, data, expiresAt) =>
      database.grouped(() => {
        database.run(PUT_DATA, ...columnsOf(key), predecessor, expiresAt, JSON.stringify(data));
      }),
    listInputData: async (key) => {
      const rows = database.all(
        `SELECT predecessor, body FROM input_data ${WHERE_KEY} ORDER BY predecessor`,
        ...columnsOf(key),
      );
      return Object.fromEntries(
        rows.map((row) => [String(numberOf(row, "predecessor")), recordOf<NodeData>(row)]),
      );
    },
    deleteSyncPoints: async (keys) => {
      assert(
        keys.length <= SYNC_POINT_DELETE_KEYS_MAX,
        "too many sync points to delete in one call",
      );
      await database.grouped(() => {
        for (const key of keys) {
          database.run(`DELETE FROM sync_points ${WHERE_KEY}`, ...columnsOf(key));
          database.run(`DELETE FROM input_data ${WHERE_KEY}`, ...columnsOf(key));
        }
      });
    },
  };
};
