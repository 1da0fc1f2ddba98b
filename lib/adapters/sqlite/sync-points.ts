/**
 * Each arrival rewrites one small record, because the core divides wide nodes into buckets. No
 * write here needs a flush of its own: a visit acts on the outside only after its claim, and the
 * flush of the claim includes all earlier writes.
 */
import * as z from "zod/mini";
import { assert } from "#lib/errors.ts";
import { parseJson } from "#lib/json.ts";
import type { NodeData, SyncPoint, SyncPointKey } from "#lib/model/graph.ts";
import {
  SYNC_POINT_DELETE_KEYS_MAX,
  SYNC_POINT_READ_KEYS_MAX,
  type SyncPoints,
} from "#lib/ports/store.ts";
import { decideArrival } from "../local/store.ts";
import { type Database, numberOf, textOf } from "./database.ts";
import { sqliteDocuments } from "./documents.ts";
import type { Counters } from "./outlook.ts";

const WHERE_KEY = "WHERE traversal_id = ? AND resource_id = ? AND is_update = ? AND bucket = ?";

const PUT_DATA = `INSERT INTO input_data
  (traversal_id, resource_id, is_update, bucket, predecessor, expires_at, body) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at, body = excluded.body`;
const LIST_DATA = `SELECT predecessor, body FROM input_data ${WHERE_KEY} ORDER BY predecessor`;
const DELETE_DATA = `DELETE FROM input_data ${WHERE_KEY}`;

const nodeData = z.object({
  id: z.string(),
  name: z.string(),
  reference: z.nullable(z.string()),
  checkFailed: z.boolean(),
}) satisfies z.ZodMiniType<NodeData>;

const keyOf = ({ traversalId, resourceId, isUpdate, bucket }: SyncPointKey) =>
  [traversalId, resourceId, isUpdate ? 1 : 0, bucket] as const;

export const sqliteSyncPoints = (database: Database, counters: Counters): SyncPoints => {
  const points = sqliteDocuments<SyncPoint>(database, {
    name: "sync_points",
    key: ["traversal_id", "resource_id", "is_update", "bucket"],
    columns: {
      traversal_id: ({ key }) => key.traversalId,
      resource_id: ({ key }) => key.resourceId,
      is_update: ({ key }) => (key.isUpdate ? 1 : 0),
      bucket: ({ key }) => key.bucket,
      expires_at: ({ expiresAt }) => expiresAt,
    },
    asRead: (point) => point,
    defaults: { arrivedAt: null },
  });

  return {
    arrive: (key, arrival) =>
      database.grouped(() => {
        const result = decideArrival(key, points.get(...keyOf(key)), arrival);
        if (result.accepted) {
          points.put(result.syncPoint);
          counters.add("sync_point_writes");
        }
        return result;
      }, "later"),
    getSyncPoint: async (key) => points.get(...keyOf(key)),
    getSyncPoints: async (keys) => {
      assert(keys.length <= SYNC_POINT_READ_KEYS_MAX, "too many sync points to read in one call");
      return { points: keys.flatMap((key) => points.get(...keyOf(key)) ?? []), unread: [] };
    },
    putInputData: (key, predecessor, data, expiresAt) =>
      database.grouped(() => {
        database.run(PUT_DATA, ...keyOf(key), predecessor, expiresAt, JSON.stringify(data));
      }, "later"),
    listInputData: async (key) =>
      Object.fromEntries(
        database
          .all(LIST_DATA, ...keyOf(key))
          .map((row) => [
            String(numberOf(row, "predecessor")),
            nodeData.parse(parseJson(textOf(row, "body"))),
          ]),
      ),
    deleteSyncPoints: async (keys) => {
      assert(
        keys.length <= SYNC_POINT_DELETE_KEYS_MAX,
        "too many sync points to delete in one call",
      );
      await database.grouped(() => {
        for (const key of keys) {
          points.delete(...keyOf(key));
          database.run(DELETE_DATA, ...keyOf(key));
        }
      }, "later");
    },
  };
};
