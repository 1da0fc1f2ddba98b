import { memoryBlobs } from "#lib/adapters/memory/blobs.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { memoryFakeProvider } from "#lib/adapters/memory/fake-provider.ts";
import { memoryQueue } from "#lib/adapters/memory/queue.ts";
import { memoryReceivingQueue } from "#lib/adapters/memory/receiving-queue.ts";
import { memorySoftwareConfigStore } from "#lib/adapters/memory/software-config-store.ts";
import { memoryStore } from "#lib/adapters/memory/store.ts";
import { memoryThrottle } from "#lib/adapters/memory/throttle.ts";
import { IN_MEMORY } from "#lib/adapters/sqlite/database.ts";
import { openSqliteFakeProvider } from "#lib/adapters/sqlite/fake-provider.ts";
import { openSqlite, type SqliteAdapter } from "#lib/adapters/sqlite/open-sqlite.ts";
import type { QueueName } from "#lib/ports/queue.ts";
import { blobsContract } from "./blobs.contract.ts";
import { fakeProviderContract } from "./fake-provider.contract.ts";
import { freshFolder, removeFolder } from "./folders.ts";
import type { Open } from "./opened.ts";
import { type ObservedQueue, queueContract } from "./queue.contract.ts";
import { receivingQueueContract, type TimedQueue } from "./receiving-queue.contract.ts";
import { softwareConfigStoreContract } from "./software-config-store.contract.ts";
import { storeContract } from "./store.contract.ts";
import { throttleContract } from "./throttle.contract.ts";

const nothing = (): void => undefined;
const inMemory =
  <T>(make: () => T): Open<T> =>
  () => ({ port: make(), close: nothing });

const onSqlite =
  <T>(place: () => string, pick: (adapter: SqliteAdapter) => T): Open<T> =>
  () => {
    const folder = place();
    const adapter = openSqlite(folder, memoryClock());
    const close = (): void => {
      adapter.close();
      if (folder !== IN_MEMORY) removeFolder(folder);
    };
    return { port: pick(adapter), close };
  };

storeContract(
  "the memory store",
  inMemory(() => memoryStore(7)),
);
softwareConfigStoreContract(
  "the memory software config store",
  inMemory(memorySoftwareConfigStore),
);
blobsContract("the memory blobs", inMemory(memoryBlobs));
throttleContract("the memory throttle", inMemory(memoryThrottle));
queueContract(
  "the memory queue",
  inMemory(() => {
    const clock = memoryClock();
    const queue = memoryQueue(clock);
    const sent = (name: QueueName) =>
      queue.pending
        .filter((pending) => pending.queue === name)
        .map(({ message, deliverAt }) => ({ message, deliverAt }));
    return { queue, now: clock.now, sent };
  }),
);
fakeProviderContract(
  "the memory fake provider",
  inMemory(() => {
    const clock = memoryClock();
    return { provider: memoryFakeProvider(clock), ...clock };
  }),
);

for (const [kind, place] of [
  ["in memory", () => IN_MEMORY],
  ["in a file", freshFolder],
] as const) {
  storeContract(
    `the SQLite store ${kind}`,
    onSqlite(place, ({ store }) => store),
  );
  softwareConfigStoreContract(
    `the SQLite software config store ${kind}`,
    onSqlite(place, ({ softwareConfigs }) => softwareConfigs),
  );
  blobsContract(
    `the SQLite blobs ${kind}`,
    onSqlite(place, ({ blobs }) => blobs),
  );
}

const HOUR_MS = 3_600_000;

const RECEIVING: Readonly<Record<string, Open<TimedQueue>>> = {
  "the SQLite queue": () => {
    const clock = memoryClock();
    const adapter = openSqlite(IN_MEMORY, clock);
    return { port: { queue: adapter.queue, clock }, close: adapter.close };
  },
  "the receiving memory queue": inMemory(() => {
    const clock = memoryClock();
    return { queue: memoryReceivingQueue(clock), clock };
  }),
};

const observed = ({ queue, clock }: TimedQueue): ObservedQueue => {
  const start = clock.now();
  const sent = (name: QueueName) => {
    const due: { message: unknown; deliverAt: number }[] = [];
    for (;;) {
      const deliverAt = queue.next([name])?.visibleAt ?? null;
      if (deliverAt === null || deliverAt > start + HOUR_MS) return due;
      clock.advance(Math.max(0, deliverAt - clock.now()));
      for (const { body } of queue.receive(name, 1, 2 * HOUR_MS))
        due.push({ message: JSON.parse(body), deliverAt });
    }
  };
  return { queue, now: () => start, sent };
};

for (const [name, open] of Object.entries(RECEIVING)) {
  receivingQueueContract(name, open);
  queueContract(name, async () => {
    const { port, close } = await open();
    return { port: observed(port), close };
  });
}

fakeProviderContract("the SQLite fake provider", () => {
  const clock = memoryClock();
  const provider = openSqliteFakeProvider(IN_MEMORY, clock);
  return { port: { provider, ...clock }, close: provider.close };
});
