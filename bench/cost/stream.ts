/**
 * Takes the place of the tables' streams, which the emulators lack. Makes events of changes in
 * batches.
 */
import { resourceChange, stackChange } from "#lib/adapters/local/change-images.ts";
import { resourceEvent, stackEvents } from "#lib/engine/project-events.ts";
import type { RetiringPorts } from "#lib/engine/retire-stack.ts";
import { writeEvents } from "#lib/engine/write-events.ts";
import type { StackEvent } from "#lib/model/event.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ids } from "#lib/ports/ids.ts";
import type { Store } from "#lib/ports/store.ts";

/** Records in one full batch of the events function (infra/feeds.ts). */
const STREAM_BATCH_MAX = 100;

export interface ObservedStore {
  readonly store: Store;
  /** Writes the events of all changes since the last call. Returns the number of invocations. */
  flush(): Promise<number>;
}

export const observeStore = (ports: RetiringPorts, ids: Ids): ObservedStore => {
  const { store, clock } = ports;
  const rows = new Map<string, Resource>();
  const stacks = new Map<string, Stack>();
  let records: (readonly StackEvent[])[] = [];

  const rowWritten = (row: Resource): void => {
    const change = resourceChange(rows.get(row.id) ?? null, row);
    rows.set(row.id, row);
    const event = change && resourceEvent(ids, { ...change, time: clock.now() });
    records.push(event ? [event] : []);
  };
  const stackWritten = (stack: Stack): void => {
    const change = stackChange(stacks.get(stack.id) ?? null, stack);
    stacks.set(stack.id, stack);
    records.push(change ? stackEvents(ids, { ...change, time: clock.now() }) : []);
  };

  return {
    store: {
      ...store,
      writeResource: async (key, when, change) => {
        const write = await store.writeResource(key, when, change);
        if (write.written) rowWritten(write.row);
        return write;
      },
      createStack: async (stack) => {
        stackWritten(stack);
        return store.createStack(stack);
      },
      writeStack: async (tenant, id, when, change) => {
        const write = await store.writeStack(tenant, id, when, change);
        if (write.written) stackWritten(write.stack);
        return write;
      },
    },
    flush: async () => {
      const all = records;
      records = [];
      let invocations = 0;
      for (let at = 0; at < all.length; at += STREAM_BATCH_MAX, invocations++) {
        const batch = all.slice(at, at + STREAM_BATCH_MAX).flat();
        const [first] = batch;
        if (first) await writeEvents(ports, first.stackId, batch);
      }
      return invocations;
    },
  };
};
