import type { Resource } from "#lib/model/resource.ts";
import { act, ask, aWorld, create, drain, settle, update, verify } from "../world/drive.ts";
import { expectThat } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { BATCHES } from "./crash-scenario.ts";

const LATER_MS = 60_000;

const atWork = (world: World): readonly Resource[] =>
  world.rows.filter(({ operation }) => operation?.type === "Sim::Waiting");

const namesAtWork = (world: World): string =>
  atWork(world)
    .map(({ name }) => name)
    .sort()
    .join(" ");

const roll = async (world: World): Promise<readonly string[]> => {
  const batches: string[] = [];
  await drain(world);
  while (atWork(world).length > 0) {
    batches.push(namesAtWork(world));
    for (const row of atWork(world)) await ask(world, world.signal(row, "COMPLETE"));
    await drain(world);
  }
  return batches;
};

const expectRoll = async (world: World, expected: readonly string[]): Promise<void> => {
  const found = await roll(world);
  expectThat(found.join(", ") === expected.join(", "), `members at work: ${found.join(", ")}`);
};

const inOrder: Case = {
  title: "batches: members are created and updated batch by batch, and deleted all at once",
  run: async () => {
    const world = aWorld();
    await create(world, BATCHES.created);
    await expectRoll(world, ["a", "b c"]);
    verify(world, "CREATE_COMPLETE");
    await update(world, BATCHES.updated);
    await expectRoll(world, ["c d", "b", "a"]);
    verify(world, "UPDATE_COMPLETE");
    await act(world, "DELETE");
    await expectRoll(world, ["a b d"]);
    verify(world, "DELETE_COMPLETE");
  },
};

const withoutChange: Case = {
  title: "batches: SUSPEND, RESUME and CHECK change no barrier and wait for none",
  run: async () => {
    const world = aWorld();
    await create(world, BATCHES.created);
    await roll(world);
    const [before] = world.rows.filter(({ name }) => name === "one");
    for (const action of ["SUSPEND", "RESUME", "CHECK"] as const) {
      await act(world, action);
      await settle(world, `${action}_COMPLETE`);
    }
    const [after] = world.rows.filter(({ name }) => name === "one");
    expectThat(after?.generation === before?.generation, "the barrier had an operation");
    await update(world, BATCHES.created);
    await settle(world, "UPDATE_COMPLETE");
  },
};

const overtaken: Case = {
  title: "batches: an update that overtakes another uses its own batches",
  run: async () => {
    for (let batchesDone = 0; batchesDone < 3; batchesDone++) {
      const world = aWorld();
      await create(world, BATCHES.created);
      await roll(world);
      await update(world, BATCHES.updated);
      await drain(world);
      for (let done = 0; done < batchesDone; done++) {
        for (const row of atWork(world)) await ask(world, world.signal(row, "COMPLETE"));
        await drain(world);
      }
      await update(world, { ...BATCHES.created, a: { ...BATCHES.created["a"], after: [] } });
      world.clock.advance(LATER_MS);
      await roll(world);
      world.clock.advance(LATER_MS);
      await roll(world);
      verify(world, "UPDATE_COMPLETE");
      await act(world, "DELETE");
      await roll(world);
      verify(world, "DELETE_COMPLETE");
    }
  },
};

export const DIRECTED_BATCHES: readonly Case[] = [inOrder, withoutChange, overtaken];
