/** How many statements of SQLite a list of stacks takes. */
import { expect, it } from "vitest";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { sqliteChanges } from "#lib/adapters/sqlite/changes.ts";
import { type Database, IN_MEMORY, openDatabase } from "#lib/adapters/sqlite/database.ts";
import { sqliteCounters } from "#lib/adapters/sqlite/outlook.ts";
import { SCHEMA } from "#lib/adapters/sqlite/schema.ts";
import { sqliteStackNames, sqliteStacks } from "#lib/adapters/sqlite/stacks.ts";
import { listStacks, type StackListQuery } from "#lib/engine/stacks/list-stacks.ts";
import { STACKS_READ_MAX } from "#lib/ports/store.ts";
import { ALL_STACKS, aStack } from "./records.ts";

const PAGES = 5;
const named = (...name: readonly string[]) => ({ filters: { ...ALL_STACKS.filters, name } });

const open = async () => {
  const database = openDatabase(IN_MEMORY, "", SCHEMA);
  let statements = 0;
  const counted: Database = {
    ...database,
    get: (...asked) => {
      statements += 1;
      return database.get(...asked);
    },
    all: (...asked) => {
      statements += 1;
      return database.all(...asked);
    },
  };
  const store = {
    ...sqliteStacks(counted, sqliteChanges(counted), sqliteCounters(counted)),
    ...sqliteStackNames(counted),
  };
  const { tenant } = aStack();
  const stacks = Array.from({ length: PAGES * STACKS_READ_MAX }, (_, at) =>
    aStack({ tenant, id: `id-${at}`, name: `s${at}`, createdAt: at }),
  );
  for (const stack of stacks) {
    await store.createStack(stack);
    await store.putStackName(tenant, stack.name, stack);
  }
  const list = async (query: Partial<StackListQuery>) => {
    statements = 0;
    const page = await listStacks({ store, clock: memoryClock() }, tenant, {
      ...ALL_STACKS,
      ...query,
    });
    return { statements, names: page.stacks.map(({ name }) => name), count: page.count };
  };
  return { database, list };
};

it("takes a statement a page, and only those of the stacks that are named", async () => {
  const { database, list } = await open();
  const all = await list({});
  expect([all.names.length, all.statements]).toEqual([PAGES * STACKS_READ_MAX, PAGES + 1]);
  const counting = await list({ counts: true, limit: 1 });
  const last = `s${PAGES * STACKS_READ_MAX - 1}`;
  expect(counting).toEqual({
    statements: PAGES + 1,
    names: [last],
    count: PAGES * STACKS_READ_MAX,
  });
  expect(await list(named("s7"))).toEqual({ statements: 2, names: ["s7"], count: null });
  const some = await list({ ...named("s7", "none", "s9", "s7"), limit: 20 });
  expect(some).toEqual({ statements: 4, names: ["s9", "s7"], count: null });
  expect(await list({ ...named("none") })).toMatchObject({ names: [] });
  database.close();
});
