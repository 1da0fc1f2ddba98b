/** When the sweeper's last run ended: one item beside the stacks, written once a run. */
import * as z from "zod";
import type { Heartbeat } from "#lib/ports/store.ts";
import { number } from "./items/attributes.ts";
import { sweepKey } from "./keys.ts";
import type { Table } from "./table.ts";

const heartbeatItem = z.object({ at: number });

export const dynamoHeartbeat = (table: Table): Heartbeat => ({
  recordSweep: async (at) => {
    await table.update(sweepKey(), { set: z.encode(heartbeatItem, { at }) }, []);
  },
  lastSweepAt: async () => {
    const item = await table.get(sweepKey());
    return item && heartbeatItem.parse(item).at;
  },
});
