import { describe, expect, it } from "vitest";
import type { SyncPoint, SyncPointKey } from "#lib/model/graph.ts";
import {
  type Store,
  SYNC_POINT_DELETE_KEYS_MAX,
  SYNC_POINT_READ_KEYS_MAX,
} from "#lib/ports/store.ts";
import { eachTest, type Open } from "./opened.ts";
import { anArrival, aPointKey, NOW, someData } from "./records.ts";

const arriving = (open: Open<Store>): void => {
  const store = eachTest(open);

  it("collects the arrived predecessors and counts the accepted writes", async () => {
    const key = aPointKey();
    expect(await store().getSyncPoint(key)).toBeNull();
    const first = await store().arrive(key, anArrival({ predecessor: 2, data: someData("c") }));
    expect(first).toEqual({
      accepted: true,
      syncPoint: {
        key,
        stackId: "stack",
        arrived: [2],
        arrivedAt: NOW,
        fanIn: 3,
        version: 1,
        inputData: { "2": someData("c") },
        expiresAt: NOW + 1_000,
      },
    });
    const second = await store().arrive(key, anArrival({ predecessor: 0, data: someData("a") }));
    expect(second).toMatchObject({ accepted: true, syncPoint: { version: 2 } });
    expect(second.syncPoint.arrived.toSorted()).toEqual([0, 2]);
    expect(second.syncPoint.inputData).toEqual({ "0": someData("a"), "2": someData("c") });
    expect(await store().getSyncPoint(key)).toEqual(second.syncPoint);
  });

  it("S18: refuses a second arrival and returns the stored point", async () => {
    const key = aPointKey();
    await store().arrive(key, anArrival({ predecessor: 1, data: someData("first") }));
    const { syncPoint } = await store().arrive(key, anArrival({ predecessor: 2 }));
    const again = anArrival({ predecessor: 1, data: someData("second"), expiresAt: NOW + 9_000 });
    expect(await store().arrive(key, again)).toEqual({ accepted: false, syncPoint });
    expect(await store().getSyncPoint(key)).toEqual(syncPoint);
  });

  it("accepts one of two racing arrivals of one predecessor", async () => {
    const key = aPointKey();
    const results = await Promise.all([
      store().arrive(key, anArrival()),
      store().arrive(key, anArrival()),
    ]);
    expect(results.filter(({ accepted }) => accepted)).toHaveLength(1);
    expect((await store().getSyncPoint(key))?.version).toBe(1);
  });

  it("loses none of many racing arrivals, and returns the full set to exactly one", async () => {
    const key = aPointKey();
    const fanIn = 128;
    const results = await Promise.all(
      Array.from({ length: fanIn }, (_, predecessor) =>
        store().arrive(key, anArrival({ predecessor, fanIn })),
      ),
    );
    expect(results.every(({ accepted }) => accepted)).toBe(true);
    const full = results.filter(({ syncPoint }) => syncPoint.arrived.length === fanIn);
    expect(full).toHaveLength(1);
    expect(full[0]?.syncPoint.version).toBe(fanIn);
  });

  it("keeps the time of the last accepted arrival", async () => {
    const key = aPointKey();
    await store().arrive(key, anArrival({ at: NOW + 1 }));
    await store().arrive(key, anArrival({ at: NOW + 2, predecessor: 1 }));
    const refused = await store().arrive(key, anArrival({ at: NOW + 3 }));
    expect(refused).toMatchObject({ accepted: false, syncPoint: { arrivedAt: NOW + 2 } });
    expect((await store().getSyncPoint(key))?.arrivedAt).toBe(NOW + 2);
  });

  it("renews the expiry with each accepted arrival", async () => {
    const key = aPointKey();
    await store().arrive(key, anArrival());
    await store().arrive(key, anArrival({ predecessor: 1, expiresAt: NOW + 5_000 }));
    expect((await store().getSyncPoint(key))?.expiresAt).toBe(NOW + 5_000);
  });
};

const inBatches = (open: Open<Store>): void => {
  const store = eachTest(open);

  it("reads many points in one call, and skips the absent ones", async () => {
    const keys = Array.from({ length: SYNC_POINT_READ_KEYS_MAX }, (_, at) =>
      aPointKey({ isUpdate: at % 2 === 0, bucket: at % 3 === 0 ? "1.7" : "" }),
    );
    const stored = new Map<string, SyncPoint>();
    for (const key of keys.slice(0, 40)) {
      const arrival = anArrival({ data: key.bucket === "" ? someData(key.resourceId) : null });
      stored.set(key.resourceId, (await store().arrive(key, arrival)).syncPoint);
    }
    const found = new Map<string, SyncPoint>();
    // A busy service may leave some keys unread. Each call reads at least one.
    for (let unread: readonly SyncPointKey[] = keys; unread.length > 0; ) {
      const read = await store().getSyncPoints(unread);
      for (const point of read.points) found.set(point.key.resourceId, point);
      expect(read.unread.length).toBeLessThan(unread.length);
      unread = read.unread;
    }
    expect(found).toEqual(stored);
  });

  it("sees the last write to each point", async () => {
    const keys = [aPointKey(), aPointKey()];
    for (const predecessor of [0, 1, 2]) {
      for (const key of keys) await store().arrive(key, anArrival({ predecessor }));
      const { points } = await store().getSyncPoints(keys);
      expect(points.map(({ version }) => version)).toEqual([predecessor + 1, predecessor + 1]);
    }
  });

  it("refuses to read more keys than one batch holds", async () => {
    const keys = Array.from({ length: SYNC_POINT_READ_KEYS_MAX + 1 }, () => aPointKey());
    await expect(store().getSyncPoints(keys)).rejects.toThrow("too many sync points");
  });
};

const beside = (open: Open<Store>): void => {
  const store = eachTest(open);

  it("separates the points of other traversals, rows, directions and buckets", async () => {
    const key = aPointKey();
    await store().arrive(key, anArrival());
    await store().putInputData(key, 0, someData("a"), NOW + 1);
    for (const other of [
      aPointKey({ resourceId: key.resourceId }),
      aPointKey({ traversalId: key.traversalId }),
      { ...key, isUpdate: false },
      { ...key, bucket: "1.7" },
    ]) {
      expect(await store().getSyncPoint(other)).toBeNull();
      expect(await store().listInputData(other)).toEqual({});
      expect((await store().arrive(other, anArrival())).syncPoint.key).toEqual(other);
    }
    expect((await store().getSyncPoint(key))?.version).toBe(1);
  });

  it("keeps input data beside the point, before any arrival and apart from inline data", async () => {
    const key = aPointKey();
    await store().putInputData(key, 11, someData("k"), NOW + 1);
    expect(await store().getSyncPoint(key)).toBeNull();
    await store().putInputData(key, 2, someData("c"), NOW + 1);
    await store().putInputData(key, 11, someData("k"), NOW + 1);
    await store().arrive(key, anArrival({ predecessor: 3, data: someData("inline") }));
    const data = { "2": someData("c"), "11": someData("k") };
    expect(await store().listInputData(key)).toEqual(data);
  });

  it("deletes points with the data beside them, and ignores absent points", async () => {
    const keys = Array.from({ length: SYNC_POINT_DELETE_KEYS_MAX }, () => aPointKey());
    const kept = aPointKey();
    for (const key of [...keys.slice(1), kept]) {
      await store().arrive(key, anArrival());
      await store().putInputData(key, 0, someData("a"), NOW + 1);
    }
    await store().deleteSyncPoints(keys);
    await store().deleteSyncPoints(keys);
    for (const key of keys) {
      expect(await store().getSyncPoint(key)).toBeNull();
      expect(await store().listInputData(key)).toEqual({});
    }
    expect(await store().getSyncPoint(kept)).not.toBeNull();
    expect(await store().listInputData(kept)).toEqual({ "0": someData("a") });
  });

  it("deletes points that have no data beside them", async () => {
    const key = aPointKey();
    await store().arrive(key, anArrival({ data: someData("inline") }));
    await store().deleteSyncPoints([{ ...key, hasDataBeside: false }]);
    expect(await store().getSyncPoint(key)).toBeNull();
  });

  it("refuses to delete more keys than one batch holds", async () => {
    const keys = Array.from({ length: SYNC_POINT_DELETE_KEYS_MAX + 1 }, () => aPointKey());
    await expect(store().deleteSyncPoints(keys)).rejects.toThrow("too many sync points");
  });
};

export const syncPointsContract = (open: Open<Store>): void => {
  describe("arrivals at a sync point", () => arriving(open));
  describe("sync points in batches", () => inBatches(open));
  describe("sync points and their input data", () => beside(open));
};
