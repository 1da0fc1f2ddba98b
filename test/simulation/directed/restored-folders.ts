import { present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import {
  act,
  aStack,
  ask,
  aWorld,
  create,
  deliverUntil,
  drain,
  finish,
  redeliver,
  settle,
  signal,
  sweep,
  theRow,
  update,
} from "../world/drive.ts";
import type { Spec } from "../world/spec.ts";
import { expectEqual } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { v } from "./specs.ts";

const waiting = (value: string): Spec => ({
  a: { type: "Sim::Waiting", properties: { v: value } },
});

const generationOf = (world: World): number => theRow(world, "a").generation;

const propertiesOf = (world: World): JsonObject => {
  const id = theRow(world, "a").physicalResourceId;
  const found = world.provider.objects().find(({ physicalId }) => physicalId === id);
  return present(found, "the object of a").properties;
};

const objectsOf = (world: World): number => world.provider.objects().length;

const signalLate = (world: World, generation: number): Promise<void> =>
  ask(world, world.signal(theRow(world, "a"), "COMPLETE", generation));

const newTokens: Case = {
  title: "P14, S39, T98: an update after a restore uses no token of the lost time",
  run: async () => {
    const world = await aStack({ a: v("1") });
    const backup = world.folder.backUp();
    await update(world, { a: v("2") });
    await settle(world, "UPDATE_COMPLETE");
    world.folder.restore(backup);
    await update(world, { a: v("3") });
    await settle(world, "UPDATE_COMPLETE");
    expectEqual<unknown>("v of a", propertiesOf(world)["v"], "3");
    await act(world, "DELETE");
    await settle(world, "DELETE_COMPLETE");
  },
};

const twoRestores: Case = {
  title: "P14, S39, T98: two restores of one backup are two lives",
  run: async () => {
    const world = await aStack({ a: v("1") });
    const backup = world.folder.backUp();
    for (const value of ["2", "3", "4"]) {
      world.folder.restore(backup);
      await update(world, { a: v(value) });
      await settle(world, "UPDATE_COMPLETE");
      expectEqual<unknown>("v of a", propertiesOf(world)["v"], value);
    }
    await update(world, { a: v("5") });
    await settle(world, "UPDATE_COMPLETE");
    expectEqual<unknown>("v of a", propertiesOf(world)["v"], "5");
  },
};

const restoresInOneSecond: Case = {
  title: "P14, S39, T98: a backup of a restored life begins another one in the same second",
  run: async () => {
    const world = await aStack({ a: v("0") });
    for (let life = 1; life < 10; life++) {
      world.folder.restore(world.folder.backUp());
      await update(world, { a: v(`${life} first`) });
      await settle(world, "UPDATE_COMPLETE");
      const backup = world.folder.backUp();
      await update(world, { a: v(`${life} lost`) });
      await settle(world, "UPDATE_COMPLETE");
      world.folder.restore(backup);
      await update(world, { a: v(`${life} next`) });
      await settle(world, "UPDATE_COMPLETE");
      expectEqual<unknown>("v of a", propertiesOf(world)["v"], `${life} next`);
    }
  },
};

const lateResult: Case = {
  title: "P14, S39, S40, T99: the result of a lost operation does not count for the next one",
  run: async () => {
    const world = await aStack(waiting("1"));
    await signal(world, "a");
    await settle(world, "CREATE_COMPLETE");
    const backup = world.folder.backUp();
    await update(world, waiting("2"));
    await drain(world);
    const lost = generationOf(world);
    world.folder.restore(backup);
    await update(world, waiting("3"));
    await drain(world);
    await signalLate(world, lost);
    await redeliver(world);
    expectEqual<unknown>("a after the late result", theRow(world, "a").status, "IN_PROGRESS");
    await signal(world, "a");
    await settle(world, "UPDATE_COMPLETE");
  },
};

const heldResult: Case = {
  title: "P14, T100: a result that is held over a restore counts for the operation of the backup",
  run: async () => {
    const world = await aStack(waiting("1"));
    const backup = world.folder.backUp();
    const begun = generationOf(world);
    await signal(world, "a");
    await settle(world, "CREATE_COMPLETE");
    world.folder.restore(backup);
    await redeliver(world);
    expectEqual("the operation under way", theRow(world, "a").operation?.generation, begun);
    await signalLate(world, begun);
    await settle(world, "CREATE_COMPLETE");
  },
};

const sameToken: Case = {
  title: "P14, S2, T100: a call that was under way is made again under its token",
  run: async () => {
    const world = aWorld();
    await create(world, { a: v("1") });
    await drain(world, { visits: 1 });
    const worker = await deliverUntil(world, "aU", "fakeProvider.create");
    const backup = world.folder.backUp();
    await finish(world, worker);
    await settle(world, "CREATE_COMPLETE");
    world.folder.restore(backup);
    await redeliver(world);
    await settle(world, "CREATE_COMPLETE");
    expectEqual("objects", objectsOf(world), 1);
  },
};

const foundChanged: Case = {
  title: "P14, S2, T100: a creation that was under way finds its object, which has changed since",
  run: async () => {
    const world = aWorld();
    const searchable = (value: string): Spec => ({
      a: { type: "Sim::Searchable", properties: { v: value } },
    });
    await create(world, searchable("1"));
    await drain(world, { visits: 1 });
    const worker = await deliverUntil(world, "aU", "fakeProvider.create");
    const backup = world.folder.backUp();
    await finish(world, worker);
    await settle(world, "CREATE_COMPLETE");
    await update(world, searchable("2"));
    await settle(world, "UPDATE_COMPLETE");
    world.folder.restore(backup);
    await redeliver(world);
    await settle(world, "CREATE_COMPLETE");
    expectEqual("objects", objectsOf(world), 1);
  },
};

const mintedTwice: Case = {
  title: "P14, S1, S39, T98: a row that the lost time has made is made anew, under another token",
  run: async () => {
    const world = aWorld();
    await create(world, { a: v("1") });
    await drain(world, { visits: 1 });
    const backup = world.folder.backUp();
    await settle(world, "CREATE_COMPLETE");
    world.folder.restore(backup);
    await settle(world, "CREATE_COMPLETE");
    expectEqual("objects", objectsOf(world), 2);
    await act(world, "DELETE");
    await settle(world, "DELETE_COMPLETE");
    expectEqual("objects of the lost time", objectsOf(world), 1);
  },
};

const withoutMessages: Case = {
  title: "P14, P11: tables that come back without their messages are swept on",
  run: async () => {
    const world = await aStack({ a: v("1") });
    await update(world, { a: v("2") });
    const backup = world.folder.backUp();
    await settle(world, "UPDATE_COMPLETE");
    world.folder.restore(backup, false);
    world.clock.advance(60_000);
    await sweep(world);
    await settle(world, "UPDATE_COMPLETE");
  },
};

export const DIRECTED_RESTORED: readonly Case[] = [
  newTokens,
  twoRestores,
  restoresInOneSecond,
  lateResult,
  heldResult,
  sameToken,
  foundChanged,
  mintedTwice,
  withoutMessages,
];
