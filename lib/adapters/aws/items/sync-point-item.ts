/** SyncPoints and their input data. Short names keep a full narrow point below one write unit. */
import * as z from "zod";
import type { NodeData, SyncPoint, SyncPointKey } from "#lib/model/graph.ts";
import type { Item } from "../table.ts";
import { flag, id, number, orNull, orStoredNull, sealed, text } from "./attributes.ts";

export const nodeData = z.codec(
  z.object({ M: z.object({ i: id, n: text, r: orStoredNull(sealed), c: flag }) }),
  z.custom<NodeData>(),
  {
    decode: ({ M }) => ({ id: M.i, name: M.n, reference: M.r, checkFailed: M.c }),
    encode: (data) => ({
      M: { i: data.id, n: data.name, r: data.reference, c: data.checkFailed },
    }),
  },
);

export const inputDataItem = z.object({ sk: text, data: nodeData });

const INLINE = "d";
/** Each predecessor's data is a separate attribute, so an arrival changes no other data. */
export const inlineDataAttribute = (predecessor: number): string => INLINE + predecessor;

const counter = z.object({
  stackId: id,
  arrived: z.object({ NS: z.array(z.string()) }),
  at: orNull(number),
  fanIn: number,
  version: number,
  expiresAt: number,
});

export const decodeSyncPoint = (key: SyncPointKey, item: Item): SyncPoint => {
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
