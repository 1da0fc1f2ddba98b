import { expect, it } from "vitest";
import { eventsWritten, listsEvents } from "#host/written-events.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { IN_MEMORY } from "#lib/adapters/sqlite/database.ts";
import { openSqlite } from "#lib/adapters/sqlite/open-sqlite.ts";
import { aRow } from "#test/contract/records.ts";

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
