import { assert } from "#lib/errors.ts";
import type { NodeData, SyncPoint, SyncPointKey } from "#lib/model/graph.ts";
import {
  SYNC_POINT_DELETE_KEYS_MAX,
  SYNC_POINT_READ_KEYS_MAX,
  type SyncPoints,
} from "#lib/ports/store.ts";
import { decideArrival } from "../local/conditional-write.ts";
import { backUpAll, memoryDocuments } from "./documents.ts";

interface InputData {
  readonly point: string;
  readonly predecessor: number;
  readonly data: NodeData;
  readonly expiresAt: number;
}

const textOf = (key: SyncPointKey): string =>
  `${key.traversalId}/${key.resourceId}/${key.isUpdate}/${key.bucket}`;

export const memorySyncPoints = () => {
  const points = memoryDocuments<SyncPoint>(({ key }) => [textOf(key)]);
  const inputData = memoryDocuments<InputData>((beside) => [beside.point, beside.predecessor]);

  const port: SyncPoints = {
    arrive: async (key, arrival) => {
      const result = decideArrival(key, points.get(textOf(key)), arrival);
      if (result.accepted) points.put(result.syncPoint);
      return result;
    },
    getSyncPoint: async (key) => points.get(textOf(key)),
    getSyncPoints: async (keys) => {
      assert(keys.length <= SYNC_POINT_READ_KEYS_MAX, "too many sync points to read in one call");
      return { points: keys.flatMap((key) => points.get(textOf(key)) ?? []), unread: [] };
    },
    putInputData: async (key, predecessor, data, expiresAt) =>
      inputData.put({ point: textOf(key), predecessor, data, expiresAt }),
    listInputData: async (key) =>
      Object.fromEntries(
        inputData.list(textOf(key)).map(({ predecessor, data }) => [String(predecessor), data]),
      ),
    deleteSyncPoints: async (keys) => {
      assert(
        keys.length <= SYNC_POINT_DELETE_KEYS_MAX,
        "too many sync points to delete in one call",
      );
      for (const point of keys.map(textOf)) {
        points.delete(point);
        for (const { predecessor } of inputData.list(point)) inputData.delete(point, predecessor);
      }
    },
  };

  return {
    port,
    all: points.all,
    purgeExpired: (now: number): void => {
      points.purgeExpired(now);
      inputData.purgeExpired(now);
    },
    backUp: backUpAll([points, inputData]),
  };
};
