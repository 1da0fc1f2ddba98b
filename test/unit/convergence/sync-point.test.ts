import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { memoryStore } from "#lib/adapters/memory/store.ts";
import { BUCKET_MEMBERS_MAX, INLINE_FAN_IN_MAX } from "#lib/convergence/limits.ts";
import {
  arrivalPath,
  arriveAt,
  arriveAtAll,
  hasArrived,
  isReady,
  readInputs,
  syncPointKeys,
  type WaitingPoint,
} from "#lib/convergence/sync-point.ts";
import type { NodeData } from "#lib/model/graph.ts";

const FAN_INS = [
  1,
  2,
  INLINE_FAN_IN_MAX,
  INLINE_FAN_IN_MAX + 1,
  BUCKET_MEMBERS_MAX,
  BUCKET_MEMBERS_MAX + 1,
  2 * BUCKET_MEMBERS_MAX,
  1_000,
] as const;

const pointOf = (fanIn: number): WaitingPoint => ({
  resourceId: "waiting",
  isUpdate: true,
  stackId: "stack",
  traversalId: "current",
  fanIn,
  expiresAt: 1_000_000,
});

const dataOf = (at: number): NodeData => ({
  id: `row ${at}`,
  name: `resource ${at}`,
  reference: null,
  checkFailed: false,
});

const open = (fanIn: number) => {
  const ports = { store: memoryStore(), clock: memoryClock() };
  const point = pointOf(fanIn);
  const predecessors = Array.from({ length: fanIn }, (_, predecessor) => predecessor);
  const arrive = (predecessor: number) =>
    arriveAt(ports, { ...point, predecessor }, dataOf(predecessor));
  const has = (predecessor: number) => hasArrived(ports, { ...point, predecessor });
  return { ports, point, predecessors, arrive, has };
};

describe("P5: the arrivals at a waiting node", () => {
  it.each(FAN_INS)("make it ready with the last of %i, and not before", async (fanIn) => {
    const { ports, point, predecessors, arrive } = open(fanIn);
    for (const at of predecessors.slice(0, -1)) {
      expect(await arrive(at)).toEqual({ accepted: true, ready: false });
    }
    expect(await isReady(ports, point)).toBe(false);
    expect(await arrive(fanIn - 1)).toEqual({ accepted: true, ready: true });
    expect(await isReady(ports, point)).toBe(true);
  });

  it.each(FAN_INS)(
    "T24: are refused the second time, and the node of %i stays ready",
    async (fanIn) => {
      const { ports, point, predecessors, arrive } = open(fanIn);
      for (const at of predecessors) await arrive(at);
      expect(await arrive(0)).toEqual({ accepted: false, ready: true });
      expect(await isReady(ports, point)).toBe(true);
    },
  );

  it.each(FAN_INS)("hand over the data of all %i, each once", async (fanIn) => {
    const { ports, point, predecessors, arrive } = open(fanIn);
    for (const at of predecessors) await arrive(at);
    await arrive(0);
    const ids = (await readInputs(ports, point)).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(predecessors.map((at) => dataOf(at).id).toSorted());
  });

  it("P2: a node that waits for nothing is ready, and has no data and no key", async () => {
    const { ports, point } = open(0);
    expect(await isReady(ports, point)).toBe(true);
    expect(await readInputs(ports, point)).toEqual([]);
    expect(syncPointKeys(point)).toEqual([]);
  });

  it("P5: a full bucket that has not reported leaves its node waiting until it is repeated", async () => {
    const { ports, point, predecessors, arrive, has } = open(BUCKET_MEMBERS_MAX + 1);
    const [, ...others] = predecessors;
    for (const at of others) await arrive(at);
    // A worker dies after it has filled the bucket, and before it reports to the parent.
    const [bucket] = arrivalPath(0, point.fanIn);
    await ports.store.arrive(
      {
        resourceId: "waiting",
        isUpdate: true,
        traversalId: "current",
        bucket: bucket?.bucket ?? "",
      },
      {
        stackId: "stack",
        predecessor: 0,
        at: 0,
        fanIn: bucket?.fanIn ?? 0,
        data: null,
        expiresAt: 1,
      },
    );
    expect(await isReady(ports, point)).toBe(false);
    expect(await has(0)).toBe(false);
    expect(await arrive(0)).toMatchObject({ ready: true });
    expect(await has(0)).toBe(true);
  });
});

describe("P5: any arrivals in any order, repeated at will", () => {
  const anyArrivals = fc
    .integer({ min: 1, max: 300 })
    .chain((fanIn) =>
      fc.tuple(
        fc.constant(fanIn),
        fc.array(fc.integer({ min: 0, max: fanIn - 1 }), { maxLength: 600 }),
      ),
    );

  it("S21: each predecessor counts once, and the node is ready when all are there", async () => {
    await fc.assert(
      fc.asyncProperty(anyArrivals, async ([fanIn, predecessors]) => {
        const { ports, point, arrive, has } = open(fanIn);
        for (const predecessor of predecessors) await arrive(predecessor);
        const arrived = new Set(predecessors);
        expect(await isReady(ports, point)).toBe(arrived.size === fanIn);
        for (const predecessor of [0, fanIn - 1]) {
          expect(await has(predecessor)).toBe(arrived.has(predecessor));
        }
      }),
      { numRuns: 30 },
    );
  });

  it("P5: no counter has more members than a bucket may have", () => {
    const anyPlace = fc
      .integer({ min: 1, max: 3_000_000 })
      .chain((fanIn) => fc.tuple(fc.integer({ min: 0, max: fanIn - 1 }), fc.constant(fanIn)));
    fc.assert(
      fc.property(anyPlace, ([predecessor, fanIn]) => {
        const path = arrivalPath(predecessor, fanIn);
        expect(path.at(-1)?.bucket).toBe("");
        for (const counter of path) {
          expect(counter.fanIn).toBeLessThanOrEqual(BUCKET_MEMBERS_MAX);
          expect(counter.predecessor).toBeLessThan(counter.fanIn);
        }
      }),
    );
  });

  it.each(FAN_INS)(
    "P2: the key of a fan-in of %i tells whether data lies beside it",
    async (fanIn) => {
      const { ports, point, predecessors, arrive } = open(fanIn);
      for (const at of predecessors) await arrive(at);
      for (const key of syncPointKeys(point)) {
        const beside = Object.keys(await ports.store.listInputData(key)).length;
        expect(beside).toBe(key.hasDataBeside === true ? fanIn : 0);
      }
    },
  );

  it.each(FAN_INS)("P8: the stack's own points of %i roots keep no data", async (fanIn) => {
    const { ports, point, predecessors } = open(fanIn);
    for (const isUpdate of [true, false]) {
      const own = { ...point, resourceId: point.stackId, isUpdate };
      for (const predecessor of predecessors)
        await arriveAtAll(ports, [{ ...own, predecessor }], dataOf(predecessor));
      expect(await isReady(ports, own)).toBe(true);
      expect(await readInputs(ports, own)).toEqual([]);
      expect(syncPointKeys(own).some(({ hasDataBeside }) => hasDataBeside)).toBe(false);
    }
  });

  it.each(FAN_INS)("P2: every counter of a fan-in of %i can be deleted by its key", (fanIn) => {
    const keys = new Set(syncPointKeys(pointOf(fanIn)).map(({ bucket }) => bucket));
    const used = new Set(
      Array.from({ length: fanIn }, (_, at) =>
        arrivalPath(at, fanIn).map(({ bucket }) => bucket),
      ).flat(),
    );
    expect(keys).toEqual(used);
  });
});
