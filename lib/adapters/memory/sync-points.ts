import { assert } from "#lib/errors.ts";
import type { NodeData } from "#lib/model/graph.ts";
import type { SyncPoint, SyncPointKey } from "#lib/model/sync-point.ts";
import { type Store, SYNC_POINT_DELETE_KEYS_MAX } from "#lib/ports/store.ts";
import { decideArrival } from "../conditional-write.ts";

type SyncPointMethods = Pick<
  Store,
  "arrive" | "getSyncPoint" | "putInputData" | "listInputData" | "deleteSyncPoints"
>;

export interface MemorySyncPoints {
  readonly port: SyncPointMethods;
  all(): readonly SyncPoint[];
  purgeExpired(now: number): void;
}

interface Beside {
  readonly data: NodeData;
  readonly expiresAt: number;
}

const textOf = (key: SyncPointKey): string =>
  `${key.traversalId}/${key.resourceId}/${key.isUpdate}/${key.bucket}`;

export const memorySyncPoints = (): MemorySyncPoints => {
  const points = new Map<string, SyncPoint>();
  const beside = new Map<string, Map<string, Beside>>();

  const port: SyncPointMethods = {
    arrive: async (key, arrival) => {
      const result = decideArrival(key, points.get(textOf(key)) ?? null, arrival);
      if (result.accepted) points.set(textOf(key), result.syncPoint);
      return result;
    },
    getSyncPoint: async (key) => points.get(textOf(key)) ?? null,
    putInputData: async (key, predecessor, data, expiresAt) => {
      const stored = beside.get(textOf(key)) ?? new Map<string, Beside>();
      stored.set(String(predecessor), { data, expiresAt });
      beside.set(textOf(key), stored);
    },
    listInputData: async (key) => {
      const stored = beside.get(textOf(key)) ?? new Map<string, Beside>();
      return Object.fromEntries([...stored].map(([name, { data }]) => [name, data]));
    },
    deleteSyncPoints: async (keys) => {
      assert(
        keys.length <= SYNC_POINT_DELETE_KEYS_MAX,
        "too many sync points to delete in one call",
      );
      for (const key of keys) {
        points.delete(textOf(key));
        beside.delete(textOf(key));
      }
    },
  };

  return {
    port,
    all: () => [...points.values()],
    purgeExpired: (now) => {
      for (const [key, point] of points) if (point.expiresAt <= now) points.delete(key);
      for (const stored of beside.values())
        for (const [name, { expiresAt }] of stored) if (expiresAt <= now) stored.delete(name);
    },
  };
};
