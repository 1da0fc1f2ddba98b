/**
 * Replaces the tables' streams, which the emulators lack, and turns changes into events in batches.
 * All rows of a stack share a partition, so their changes are in one shard.
 */
import { resourceChange, stackChange } from "#lib/adapters/local/change-images.ts";
import { resourceEvent, stackEvents } from "#lib/engine/events/project-events.ts";
import { writeEvents } from "#lib/engine/events/write-events.ts";
import type { RetiringPorts } from "#lib/engine/stacks/retire-stack.ts";
import type { StackEvent } from "#lib/model/event.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ids } from "#lib/ports/ports.ts";
import type { Store } from "#lib/ports/store.ts";
import { STREAM_BATCH } from "../../../infra/capacity.ts";

const WINDOW_MS = STREAM_BATCH.windowSeconds * 1_000;

interface StreamRecord {
  readonly time: number;
  readonly events: readonly StackEvent[];
}

export interface StreamInvocations {
  readonly events: number;
  readonly supervisor: number;
}

export interface ObservedStore {
  readonly store: Store;
  flush(): Promise<StreamInvocations>;
}

export const batchesOf = (
  records: readonly StreamRecord[],
): readonly (readonly StreamRecord[])[] => {
  const batches: StreamRecord[][] = [];
  for (const record of records) {
    const current = batches.at(-1);
    const [first] = current ?? [];
    const isOpen =
      first !== undefined &&
      record.time - first.time < WINDOW_MS &&
      (current?.length ?? 0) < STREAM_BATCH.max;
    if (isOpen) current?.push(record);
    else batches.push([record]);
  }
  return batches;
};

export const observeStore = (ports: RetiringPorts, ids: Ids): ObservedStore => {
  const { store, clock } = ports;
  const rows = new Map<string, Resource>();
  const stacks = new Map<string, Stack>();
  let rowRecords: StreamRecord[] = [];
  let stackRecords: StreamRecord[] = [];

  const rowWritten = (row: Resource): void => {
    const change = resourceChange(rows.get(row.id) ?? null, row);
    rows.set(row.id, row);
    const event = change && resourceEvent(ids, { ...change, time: clock.now() });
    rowRecords.push({ time: clock.now(), events: event ? [event] : [] });
  };
  const stackWritten = (stack: Stack): void => {
    const change = stackChange(stacks.get(stack.id) ?? null, stack);
    stacks.set(stack.id, stack);
    const time = clock.now();
    stackRecords.push({ time, events: change ? stackEvents(ids, { ...change, time }) : [] });
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
      const ofRows = batchesOf(rowRecords);
      const ofStacks = batchesOf(stackRecords);
      rowRecords = [];
      stackRecords = [];
      for (const batch of [...ofStacks, ...ofRows]) {
        const events = batch.flatMap((record) => record.events);
        await writeEvents(ports, events);
      }
      return { events: ofStacks.length + ofRows.length, supervisor: ofStacks.length };
    },
  };
};
