/**
 * Each arrival at a SyncPoint is one conditional UpdateItem, which creates an absent point. Points
 * are never read and written back.
 */
import * as z from "zod";
import { assert, present, RetryLater } from "#lib/errors.ts";
import type { NodeData, SyncPoint, SyncPointKey } from "#lib/model/graph.ts";
import {
  type Arrival,
  type DeletedSyncPoint,
  SYNC_POINT_DELETE_KEYS_MAX,
  SYNC_POINT_READ_KEYS_MAX,
  type SyncPoints,
} from "#lib/ports/store.ts";
import { hasNotArrived } from "./conditions.ts";
import { flag, id, number, orNull, orStoredNull, sealed, text, ttlOf } from "./items/attributes.ts";
import { inputDataKey, inputDataOf, pairSchema, predecessorIn, syncPointKey } from "./keys.ts";
import { BATCH_WRITE_MAX, type Item, type ItemUpdate, type Table } from "./table.ts";

const ARRIVE_TRIES_MAX = 3;

const arrivalUpdate = ({
  stackId,
  predecessor,
  at,
  fanIn,
  data,
  expiresAt,
}: Arrival): ItemUpdate => ({
  set: {
    stackId: z.encode(id, stackId),
    at: z.encode(number, at),
    fanIn: z.encode(number, fanIn),
    expiresAt: z.encode(number, expiresAt),
    ...ttlOf(expiresAt),
    ...(data && { [inlineDataAttribute(predecessor)]: z.encode(nodeData, data) }),
  },
  add: { arrived: { NS: [String(predecessor)] }, version: { N: "1" } },
});

const partitionIn = (item: Item): string => pairSchema.parse(item).pk.S;

export const dynamoSyncPoints = (table: Table): SyncPoints => ({
  arrive: async (key, arrival) => {
    for (let tries = 0; tries < ARRIVE_TRIES_MAX; tries++) {
      const write = await table.update(syncPointKey(key), arrivalUpdate(arrival), [
        hasNotArrived(arrival.predecessor),
      ]);
      if (write.item)
        return { accepted: write.written, syncPoint: decodeSyncPoint(key, write.item) };
    }
    throw new RetryLater(`the sync point of ${key.resourceId} is created and deleted repeatedly`);
  },
  getSyncPoint: async (key) => {
    const item = await table.get(syncPointKey(key));
    return item && decodeSyncPoint(key, item);
  },
  getSyncPoints: async (keys) => {
    assert(keys.length <= SYNC_POINT_READ_KEYS_MAX, "too many sync points to read in one call");
    const keyOf = (item: Item): SyncPointKey =>
      present(byPartition.get(partitionIn(item)), "the key of a sync point that was read");
    const byPartition = new Map(keys.map((key) => [partitionIn(syncPointKey(key)), key]));
    const { items, unread } = await table.readBatch(keys.map(syncPointKey));
    return {
      points: items.map((item) => decodeSyncPoint(keyOf(item), item)),
      unread: unread.map(keyOf),
    };
  },
  putInputData: async (key, predecessor, data, expiresAt) => {
    const attributes = { data: z.encode(nodeData, data), ...ttlOf(expiresAt) };
    await table.put(inputDataKey(key, predecessor), attributes, []);
  },
  listInputData: async (key) => {
    const found: [number, z.output<typeof nodeData>][] = [];
    for await (const item of table.query(inputDataOf(key))) {
      const { sk, data } = inputDataItem.parse(item);
      found.push([Number(predecessorIn(sk)), data]);
    }
    return Object.fromEntries(found);
  },
  deleteSyncPoints: async (keys) => {
    assert(keys.length <= SYNC_POINT_DELETE_KEYS_MAX, "too many sync points to delete in one call");
    const beside = await Promise.all(keys.map((key) => dataKeys(table, key)));
    const all = [...keys.map(syncPointKey), ...beside.flat()];
    for (let at = 0; at < all.length; at += BATCH_WRITE_MAX)
      await table.deleteAll(all.slice(at, at + BATCH_WRITE_MAX));
  },
});

/** Only a node's own point has input data beside it; buckets have none. */
const dataKeys = async (table: Table, key: DeletedSyncPoint): Promise<readonly Item[]> => {
  if (key.bucket !== "" || key.hasDataBeside === false) return [];
  const keys: Item[] = [];
  for await (const item of table.query(inputDataOf(key), { only: ["pk", "sk"] }))
    keys.push(pairSchema.parse(item));
  return keys;
};

/** SyncPoints and their input data. Short names keep a full narrow point below one write unit. */
const nodeData = z.codec(
  z.object({ M: z.object({ i: id, n: text, r: orStoredNull(sealed), c: flag }) }),
  z.custom<NodeData>(),
  {
    decode: ({ M }) => ({ id: M.i, name: M.n, reference: M.r, checkFailed: M.c }),
    encode: (data) => ({
      M: { i: data.id, n: data.name, r: data.reference, c: data.checkFailed },
    }),
  },
);

const inputDataItem = z.object({ sk: text, data: nodeData });

const INLINE = "d";
/** Each predecessor's data is a separate attribute, so an arrival changes no other data. */
const inlineDataAttribute = (predecessor: number): string => INLINE + predecessor;

const counter = z.object({
  stackId: id,
  arrived: z.object({ NS: z.array(z.string()) }),
  at: orNull(number),
  fanIn: number,
  version: number,
  expiresAt: number,
});

const decodeSyncPoint = (key: SyncPointKey, item: Item): SyncPoint => {
  const { traversalId, resourceId, isUpdate, bucket } = key;
  const { arrived, at, ...fields } = counter.parse(item);
  const inline = Object.entries(item).filter(([name]) => /^d\d+$/.test(name));
  return {
    key: { traversalId, resourceId, isUpdate, bucket },
    ...fields,
    arrived: arrived.NS.map(Number).sort((left, right) => left - right),
    arrivedAt: at,
    inputData: Object.fromEntries(
      inline.map(([name, data]) => [name.slice(INLINE.length), nodeData.parse(data)]),
    ),
  };
};
