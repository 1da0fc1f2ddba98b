/** The store, with its races counted: how often a SyncPoint or a row refused a write is seen here and nowhere else. */
import type { Meter } from "#functions/meter.ts";
import type { Store } from "#lib/ports/store.ts";

export const meteredStore = (store: Store, meter: Meter): Store => ({
  ...store,
  arrive: async (key, arrival) => {
    const result = await store.arrive(key, arrival);
    meter.add("SyncPointArrivals", 1);
    if (!result.accepted) meter.add("SyncPointConflicts", 1);
    return result;
  },
  writeResource: async (key, when, change) => {
    const result = await store.writeResource(key, when, change);
    if (!result.written) meter.add("RowConflicts", 1);
    return result;
  },
});
