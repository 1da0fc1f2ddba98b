import * as z from "zod";
import type { Heartbeat, StackKey } from "#lib/ports/store.ts";
import { number, orNull, text } from "./items/attributes.ts";
import { sweepKey } from "./keys.ts";
import type { Table } from "./table.ts";

const cursorCodec = z.codec(
  z.object({ M: z.object({ tenant: text, id: text }) }),
  z.custom<StackKey>(),
  { decode: ({ M }) => M, encode: ({ tenant, id }) => ({ M: { tenant, id } }) },
);

/** In a new deployment, a round that was cut off leaves a cursor without an end. */
const heartbeatItem = z.object({ at: orNull(number), cursor: orNull(cursorCodec) });

export const dynamoHeartbeat = (table: Table): Heartbeat => ({
  recordSweep: async (at) => {
    await table.update(sweepKey(), { set: z.encode(heartbeatItem.pick({ at: true }), { at }) }, []);
  },
  lastSweepAt: async () => {
    const item = await table.get(sweepKey());
    return item && heartbeatItem.parse(item).at;
  },
  putSweepCursor: async (cursor) => {
    const set = z.encode(heartbeatItem.pick({ cursor: true }), { cursor });
    await table.update(sweepKey(), { set: { cursor: undefined, ...set } }, []);
  },
  sweepCursor: async () => {
    const item = await table.get(sweepKey());
    return item && heartbeatItem.parse(item).cursor;
  },
});
