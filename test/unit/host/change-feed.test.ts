import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { eventsWritten, feedChanges, listsEvents, startChangeFeed } from "#host/change-feed.ts";
import { memoryBlobs } from "#lib/adapters/memory/blobs.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { memoryIds } from "#lib/adapters/memory/seeded.ts";
import { IN_MEMORY } from "#lib/adapters/sqlite/database.ts";
import { DATABASE_FILE, openSqlite, type SqliteAdapter } from "#lib/adapters/sqlite/open-sqlite.ts";
import { RetryLater } from "#lib/errors.ts";
import type { Store } from "#lib/ports/store.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { freshFolder, removeFolder } from "#test/contract/folders.ts";
import { aRow } from "#test/contract/records.ts";

const clock = memoryClock();
let adapter: SqliteAdapter;
beforeEach(() => {
  adapter = openSqlite(IN_MEMORY, clock);
});
afterEach(() => adapter.close());

const makeRow = async (id: string): Promise<void> => {
  const row = aRow({ id, action: "CREATE", status: "IN_PROGRESS" });
  await adapter.store.writeResource(row, [], { set: {}, insert: row });
};

const portsWith = (writing: Partial<Store> = {}) => ({
  store: { ...adapter.store, ...writing },
  blobs: memoryBlobs(),
  clock,
  ids: memoryIds(1),
  retention: retentionOf(),
});

const chainOf = (length: number): Partial<Store> => {
  let made = 1;
  return {
    putEvents: async (stackId, events) => {
      if (made < length) await makeRow(`${made++}`);
      return adapter.store.putEvents(stackId, events);
    },
  };
};

it("ends a round though its events were still written when another change came", async () => {
  await makeRow("first");
  const rounds: number[] = [];
  await feedChanges(adapter.changes, portsWith(chainOf(1_000)), (fed) => rounds.push(fed.length));
  expect(rounds).toEqual([1]);
  expect(adapter.changes.read(10)).toHaveLength(1);
});

it("feeds what came during a round in a later one", async () => {
  await makeRow("first");
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  const feed = startChangeFeed(adapter.changes, portsWith(chainOf(5)), (fed) => {
    count += fed.length;
    if (count === 5) resolve();
  });
  adapter.changes.onAdded(feed.wake);
  await promise;
  await feed.stop();
  expect(adapter.changes.read(10)).toEqual([]);
});

it("tries again after a failure, and writes each event once", async () => {
  await makeRow("first");
  let tries = 0;
  const failing: Partial<Store> = {
    putEvents: async (stackId, events) => {
      tries += 1;
      if (tries === 1) throw new RetryLater("busy");
      return adapter.store.putEvents(stackId, events);
    },
  };
  const { promise, resolve } = Promise.withResolvers<void>();
  const feed = startChangeFeed(adapter.changes, portsWith(failing), () => resolve());
  await promise;
  await feed.stop();
  expect(tries).toBe(2);
});

it("reads changes that a former version wrote", () => {
  const folder = freshFolder();
  openSqlite(folder, clock).close();
  const database = new DatabaseSync(join(folder, DATABASE_FILE));
  const { updatedAt, number, ...row } = aRow();
  const newImage = { ...row, version: 1 };
  const body = JSON.stringify({ table: "resources", oldImage: null, newImage });
  database.prepare("INSERT INTO changes (body) VALUES (?)").run(body);
  database.close();
  const upgraded = openSqlite(folder, clock);
  expect(upgraded.changes.read(1)).toMatchObject([{ newImage: { updatedAt: 0, number: 0 } }]);
  upgraded.close();
  removeFolder(folder);
});

it.each<[string, string, boolean]>([
  ["GET", "/v1/demo/stacks/app/id/events", true],
  ["GET", "/v1/demo/stacks/app/id/resources/a/events/", true],
  ["GET", "/v1/demo/stacks/app/id/resources/a/events/e1", true],
  ["GET", "/v1/demo/stacks/app/id/resources/events", false],
  ["GET", "/v1/demo/stacks", false],
  ["POST", "/v1/demo/stacks/app/id/events", false],
])("%s %s: %s", (method, path, expected) => {
  expect(listsEvents(method, path)).toBe(expected);
});

it("waits until the changes before it are gone, though more come", async () => {
  const { store, changes, close } = openSqlite(IN_MEMORY, memoryClock());
  const write = async (id: string): Promise<void> => {
    const row = aRow({ id });
    await store.writeResource(row, [], { set: {}, insert: row });
  };
  await write("first");
  let isOver = false;
  const waiting = eventsWritten(changes).then(() => {
    isOver = true;
  });
  await write("second");
  expect(isOver).toBe(false);
  await changes.deleteUpTo(1);
  await waiting;
  expect(changes.read(10).map(({ sequence }) => sequence)).toEqual([2]);
  close();
});
