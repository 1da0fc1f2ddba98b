/** Counts lost races: refused writes of SyncPoints and rows are visible only here. */
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
