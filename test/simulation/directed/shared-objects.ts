import { TOMBSTONE_MS } from "#lib/convergence/limits.ts";
import { present } from "#lib/errors.ts";
import {
  act,
  aStack,
  ask,
  deliverNode,
  deliverUntil,
  drain,
  finish,
  LEASE_PASSED_MS,
  redeliver,
  refuse,
  settle,
  update,
} from "../world/drive.ts";
import type { ResourceSpec, Spec } from "../world/spec.ts";
import { expectEqual, Violation } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { v } from "./specs.ts";

const named = (value: string): ResourceSpec => ({
  type: "Sim::Named",
  properties: { "v!": value },
});
const target = (value: string, other = "1"): Spec => ({
  a: named(value),
  b: v(other, { to: "a" }),
});

const replacedWithoutCleanup = async (options = {}): Promise<World> => {
  const world = await aStack(target("1"), options);
  await update(world, target("2"));
  await drain(world, { hold: "aC" });
  const rows = world.rows.filter(({ name }) => name === "a");
  expectEqual("rows of a", rows.length, 2);
  expectEqual("objects of a", new Set(rows.map((row) => row.physicalResourceId)).size, 1);
  return world;
};

const expectObject = (world: World, value: string): void => {
  const objects = world.provider.objects().filter(({ logicalName }) => logicalName === "a");
  expectEqual("objects of a", objects.length, 1);
  expectEqual("its value", objects[0]?.properties["v!"], value);
};

const keptByReplacement: Case = {
  title:
    "P17, S27, T44: the cleanup of a row whose replacement has the same physical id deletes nothing, and says so",
  run: async () => {
    const world = await replacedWithoutCleanup();
    await settle(world, "UPDATE_COMPLETE");
    expectObject(world, "2");
    const old = world.rows.find(({ name, action }) => name === "a" && action === "DELETE");
    if (!old?.statusReason.includes("was not deleted")) throw new Violation("no reason");
  },
};

const givenBackByRollback: Case = {
  title:
    "P17, S27, T45: a rollback to the row that was replaced gives it its object back, as its template wants it",
  run: async () => {
    const world = await aStack(target("1"), { disableRollback: false });
    await update(world, target("2", "2"));
    await drain(world, { hold: "bU" });
    expectObject(world, "2");
    await refuse(world, "bU", "update");
    await settle(world, "ROLLBACK_COMPLETE");
    expectObject(world, "1");
  },
};

const lateCreation: Case = {
  title:
    "P17, S27: a creation that ends only after the rollback has kept the old row leaves nothing of itself in the object",
  run: async () => {
    const world = await aStack(target("1"), { disableRollback: false });
    await update(world, target("2"));
    await drain(world, { visits: 2 });
    const late = await deliverUntil(world, "?U", "fakeProvider.update");
    await act(world, "ROLLBACK");
    await drain(world, { visits: 2 });
    await finish(world, late);
    world.clock.advance(LEASE_PASSED_MS);
    await settle(world, "ROLLBACK_COMPLETE");
    expectObject(world, "1");
  },
};

const replacedTwice: Case = {
  title:
    "P17, S27: of three rows with one object only the one in service keeps it, in whatever order the others go",
  run: async () => {
    const world = await replacedWithoutCleanup();
    await update(world, target("3"));
    await settle(world, "UPDATE_COMPLETE");
    expectObject(world, "3");
  },
};

const deletedTogether: Case = {
  title: "P17, S1: a delete of two rows with one object deletes it once, and leaves nothing",
  run: async () => {
    const world = await replacedWithoutCleanup();
    await act(world, "DELETE");
    await settle(world, "DELETE_COMPLETE");
    const deletes = world.provider.calls().filter((one) => one.kind === "delete" && one.effect);
    expectEqual("objects", world.provider.objects().length, 0);
    expectEqual("deletes that had an effect", deletes.length, 2);
  },
};

const requiredByOthers: Case = {
  title:
    "P17, S8, T46: a replacement that goes leaves the object to the replaced row while others still refer to that",
  run: async () => {
    const world = await aStack(target("1"));
    await update(world, target("2"));
    await drain(world, { hold: "bU" });
    await update(world, {});
    await drain(world, { hold: "bC" });
    await settle(world, "UPDATE_COMPLETE");
    expectEqual("objects", world.provider.objects().length, 0);
  },
};

const givenBackTwice: Case = {
  title: "P17, P14: a worker dies while it gives an object back, and the next one gives it back",
  run: async () => {
    const world = await replacedWithoutCleanup({ disableRollback: false });
    await act(world, "ROLLBACK");
    await finish(world, await deliverNode(world, "aC"));
    await drain(world, { hold: "aC" });
    const dying = await deliverUntil(world, "aC", "fakeProvider.update");
    await world.crash(dying, "after");
    await redeliver(world);
    await settle(world, "ROLLBACK_COMPLETE");
    expectObject(world, "1");
  },
};

const weeksPass = (world: World): void => {
  world.clock.advance(TOMBSTONE_MS + 1);
  world.store.purgeExpired(world.clock.now());
};

const rolledBackAfterWeeks: Case = {
  title:
    "P17, P10, T49: a rollback gives the object back also if the row before the one in service has expired",
  run: async () => {
    // The graph expires later than the row, so an update that overtakes leaves a new tombstone.
    const world = await aStack(target("1"), { disableRollback: false, timeoutMins: 10_000 });
    await update(world, target("2"));
    await settle(world, "UPDATE_COMPLETE");
    weeksPass(world);
    await update(world, target("3"));
    await ask(world, world.cancel());
    await update(world, target("3", "2"));
    await drain(world, { hold: "bU" });
    expectObject(world, "3");
    await refuse(world, "bU", "update");
    await settle(world, "ROLLBACK_COMPLETE");
    expectObject(world, "2");
  },
};

const keptAfterWeeks: Case = {
  title:
    "P17, P10, T50: an old row leaves the object to the row in service also if the row between them has expired",
  run: async () => {
    const world = await replacedWithoutCleanup();
    const old = present(
      world.rows.find(({ name, replacedBy }) => name === "a" && replacedBy !== null),
      "the first row of a",
    );
    await update(world, target("3"));
    await drain(world, {
      hold: ({ message }) =>
        message.type === "check_resource" && !message.isUpdate && message.resourceId === old.id,
    });
    await ask(world, world.cancel());
    await drain(world);
    weeksPass(world);
    await update(world, target("3"));
    await settle(world, "UPDATE_COMPLETE");
    expectObject(world, "3");
  },
};

const retainedAndRolledBack = async (): Promise<World> => {
  const retained = (value: string, other: string): Spec => ({
    ...target(value, other),
    a: { ...named(value), retained: true },
  });
  const world = await aStack(retained("1", "1"), { disableRollback: false });
  await update(world, retained("2", "2"));
  await drain(world, { hold: "bU" });
  await refuse(world, "bU", "update");
  await drain(world, { hold: "aC" });
  return world;
};

const retainedAndGivenBack: Case = {
  title:
    "P17, S27, T51: a rollback gives back an object that a policy retains, as the template of the row in service wants it",
  run: async () => {
    const world = await retainedAndRolledBack();
    await drain(world);
    expectEqual("status", `${world.stack?.action}_${world.stack?.status}`, "ROLLBACK_COMPLETE");
    expectObject(world, "1");
  },
};

const retainedWithoutHolder: Case = {
  title:
    "P17, T51: an object that a policy retains stays, also if the row that it goes back to has gone meanwhile",
  run: async () => {
    const world = await retainedAndRolledBack();
    const [former] = world.rows.filter(({ name }) => name === "a");
    const claimed = await deliverUntil(world, "aC", "store.writeResource");
    await world.step(claimed);
    await world.store.writeResource(present(former, "the first row of a"), [], {
      set: { action: "DELETE", status: "COMPLETE" },
    });
    await finish(world, claimed);
    expectObject(world, "2");
  },
};

export const DIRECTED_SHARED_OBJECTS: readonly Case[] = [
  keptByReplacement,
  givenBackByRollback,
  lateCreation,
  replacedTwice,
  deletedTogether,
  requiredByOthers,
  givenBackTwice,
  rolledBackAfterWeeks,
  keptAfterWeeks,
  retainedAndGivenBack,
  retainedWithoutHolder,
];
