/** When the sweeper last came to its end: one item beside the stacks, written once a run. */
import * as z from "zod";
import type { Store } from "#lib/ports/store.ts";
import { number } from "./items/attributes.ts";
import { sweepKey } from "./keys.ts";
import type { Table } from "./table.ts";

const heartbeatItem = z.object({ at: number });

export const dynamoHeartbeat = (table: Table): Pick<Store, "recordSweep" | "lastSweepAt"> => ({
  recordSweep: async (at) => {
    await table.update(sweepKey(), { set: z.encode(heartbeatItem, { at }) }, []);
  },
  lastSweepAt: async () => {
    const item = await table.get(sweepKey());
    return item && heartbeatItem.parse(item).at;
  },
});
