import { present } from "#lib/errors.ts";
import {
  act,
  aStack,
  ask,
  aWorld,
  create,
  deliverNode,
  deliverUntil,
  drain,
  finish,
  LEASE_PASSED_MS,
  refuse,
  runUntil,
  settle,
  update,
  verify,
} from "../world/drive.ts";
import type { ResourceSpec } from "../world/spec.ts";
import { clearHook } from "../world/users.ts";
import { expectEqual } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { v } from "./specs.ts";

const slow = (which = "1", type = "Sim::Slow"): ResourceSpec => ({
  type,
  properties: { v: "1", "r!": which },
});
const late = slow("1", "Sim::Late");

/** Together these steps are longer than the slow types need, with the delay of a waiting visit. */
const pass = async (world: World): Promise<void> => {
  for (let times = 0; times < 5; times++) {
    world.clock.advance(5_000);
    await drain(world);
  }
};

const isAtWork = (world: World, name: string, action: string): void => {
  const row = world.rows.find((one) => one.name === name && one.operation !== null);
  expectEqual<unknown>(`operation of ${name}`, row?.operation?.action, action);
};

/** None of these cases advances the clock. */
const AT_ONCE: readonly (readonly [string, () => Promise<World>, string])[] = [
  [
    "a delete",
    async () => {
      const world = await aStack({ a: slow(), b: v("1", { to: "a" }) });
      await act(world, "DELETE");
      return world;
    },
    "DELETE_COMPLETE",
  ],
  [
    "an update that removes the resource",
    async () => {
      const world = await aStack({ a: slow(), b: v("1") });
      await update(world, { b: v("1") });
      return world;
    },
    "UPDATE_COMPLETE",
  ],
  [
    "the rollback of a failed creation",
    async () => {
      const world = aWorld({ disableRollback: false });
      await create(world, { a: slow(), b: v("1") });
      await drain(world, { hold: "bU" });
      await refuse(world, "bU", "create");
      return world;
    },
    "ROLLBACK_COMPLETE",
  ],
  [
    "a rollback by the user, after a replacement",
    async () => {
      const world = await aStack({ a: slow("1") });
      await pass(world);
      await update(world, { a: slow("2") });
      await drain(world);
      await act(world, "ROLLBACK");
      return world;
    },
    "ROLLBACK_COMPLETE",
  ],
  [
    "a delete after a cancel without rollback",
    async () => {
      const world = await aStack({ a: slow() });
      await ask(world, world.cancel());
      await act(world, "DELETE");
      return world;
    },
    "DELETE_COMPLETE",
  ],
  [
    "a delete of the stack that nests the resource",
    async () => {
      const world = await aStack({ n: { child: { m: { child: { a: slow() } } } } });
      await act(world, "DELETE");
      return world;
    },
    "DELETE_COMPLETE",
  ],
];

const endsAtOnce = ([what, begin, state]: (typeof AT_ONCE)[number]): Case => ({
  title: `P25: ${what} ends a creation that goes on, and does not wait for it`,
  run: async () => {
    const world = await begin();
    await settle(world, state);
  },
});

const awaitsTheCall: Case = {
  title: "P25: a delete waits for a call that is being made, for that only, and not for the clock",
  run: async () => {
    const world = aWorld();
    await create(world, { a: slow() });
    await finish(world, await deliverNode(world, "prepare"));
    const calling = await deliverUntil(world, "aU", "fakeProvider.create");
    await act(world, "DELETE");
    await drain(world);
    isAtWork(world, "a", "CREATE");
    expectEqual("status of the stack", world.stack?.status, "IN_PROGRESS");
    await finish(world, calling);
    await settle(world, "DELETE_COMPLETE");
  },
};

const callsAgain: Case = {
  title: "P25, P3.4, S1: a delete makes a call again whose answer was lost, and then ends it",
  run: async () => {
    const world = aWorld();
    await create(world, { a: slow() });
    await finish(world, await deliverNode(world, "prepare"));
    const dying = await deliverUntil(world, "aU", "fakeProvider.create");
    await world.crash(dying, "after");
    await act(world, "DELETE");
    await drain(world);
    isAtWork(world, "a", "CREATE");
    world.clock.advance(LEASE_PASSED_MS);
    await settle(world, "DELETE_COMPLETE");
  },
};

const expectOneCreation = (world: World): void => {
  const generations = world.rows.filter(({ name }) => name === "a").map((row) => row.generation);
  expectEqual("generations of the rows of a", generations.join(), "1");
};

const wantedRunsOn: Case = {
  title: "P25, D5: an update that wants the resource lets its creation run on",
  run: async () => {
    const world = await aStack({ a: slow() });
    await update(world, { a: slow(), b: v("1") });
    await drain(world);
    isAtWork(world, "a", "CREATE");
    await pass(world);
    verify(world, "UPDATE_COMPLETE");
    expectOneCreation(world);
  },
};

const overtakenRemoval: Case = {
  title: "P25, D5: a removal that is overtaken does not end what the newer update wants",
  run: async () => {
    const world = await aStack({ a: slow() });
    await update(world, {});
    await finish(world, await deliverNode(world, "prepare"));
    const removing = await deliverNode(world, "aC");
    await runUntil(world, removing, "store.writeResource");
    await update(world, { a: slow() });
    await finish(world, await deliverNode(world, "prepare"));
    await finish(world, removing);
    isAtWork(world, "a", "CREATE");
    await pass(world);
    verify(world, "UPDATE_COMPLETE");
    expectOneCreation(world);
  },
};

const waitsFor = async (world: World, name: string, action: string): Promise<void> => {
  await act(world, "DELETE");
  await drain(world);
  isAtWork(world, name, action);
  await pass(world);
};

const retained: Case = {
  title: "P25: a delete waits for a creation whose object the policy Retain keeps",
  run: async () => {
    const world = await aStack({ a: { ...slow(), retained: true } });
    await waitsFor(world, "a", "CREATE");
    verify(world, "DELETE_COMPLETE");
    expectEqual("objects at the provider", world.provider.objects().length, 1);
  },
};

const snapshotted: Case = {
  title: "P25: a delete waits for a creation of whose object the policy Snapshot keeps one",
  run: async () => {
    const world = await aStack({ a: { ...slow(), snapshotted: true } });
    await waitsFor(world, "a", "CREATE");
    verify(world, "DELETE_COMPLETE");
    const types = world.provider.objects().map(({ type }) => type);
    expectEqual("types of the objects", types.join(), "Hearth::Test::Scenario::Snapshot");
  },
};

const policyBefore: Case = {
  title: "P25: a delete waits also if only the last success, and not the operation, has the policy",
  run: async () => {
    const world = await aStack({ a: { ...slow(), snapshotted: true } });
    await pass(world);
    const { properties } = slow();
    await update(world, { a: { ...slow(), properties: { ...properties, v: "2", seconds: "5" } } });
    await drain(world);
    await waitsFor(world, "a", "UPDATE");
    verify(world, "DELETE_COMPLETE");
  },
};

const runningDelete: Case = {
  title: "P25: a delete lets an older delete of the object run to its end",
  run: async () => {
    const goesSlowly = { type: "Sim::Slow", properties: { "r!": "1", goes: "5" } };
    const world = await aStack({ a: goesSlowly });
    await pass(world);
    await update(world, { a: slow("2") });
    await drain(world);
    world.clock.advance(5_000);
    await drain(world);
    await waitsFor(world, "a", "DELETE");
    verify(world, "DELETE_COMPLETE");
    const generations = world.rows.map(({ generation }) => generation);
    expectEqual("generations: a creation and a delete each", generations.join(), "2,2");
  },
};

const runningSnapshot: Case = {
  title: "P25: a delete lets a snapshot run to its end, which alone says what was made",
  run: async () => {
    const world = await aStack({ a: slow() });
    await pass(world);
    await act(world, "SNAPSHOT");
    await drain(world);
    await waitsFor(world, "a", "SNAPSHOT");
    verify(world, "DELETE_COMPLETE");
  },
};

const refusingProvider: Case = {
  title: "P25: a delete waits if the provider would refuse it meanwhile",
  run: async () => {
    const world = await aStack({ a: slow("1", "Sim::Locked") });
    await waitsFor(world, "a", "CREATE");
    verify(world, "DELETE_COMPLETE");
  },
};

const named = (which: string, seconds: string): ResourceSpec => ({
  type: "Sim::Named",
  properties: { "v!": which, seconds },
});

const sharedObject: Case = {
  title:
    "P25, P17: a rollback waits for a replacement that changes the object of the row in service, and then gives it back",
  run: async () => {
    const world = await aStack({ a: named("1", "0") });
    await update(world, { a: named("2", "5") });
    await drain(world);
    await act(world, "ROLLBACK");
    await drain(world);
    isAtWork(world, "a", "CREATE");
    await pass(world);
    verify(world, "ROLLBACK_COMPLETE");
  },
};

const sharedUnknown: Case = {
  title:
    "P25, P17: a rollback waits for such a replacement also if its worker died before it stored a handle",
  run: async () => {
    const world = await aStack({ a: named("1", "0") });
    await update(world, { a: named("2", "5") });
    await finish(world, await deliverNode(world, "prepare"));
    await finish(world, await deliverNode(world, "aU"));
    const dying = await world.deliver(present(world.deliverable()[0], "the replacement"));
    await runUntil(world, dying, "fakeProvider.update");
    await world.crash(dying, "before");
    await act(world, "ROLLBACK");
    world.clock.advance(LEASE_PASSED_MS);
    await drain(world);
    isAtWork(world, "a", "CREATE");
    await pass(world);
    verify(world, "ROLLBACK_COMPLETE");
  },
};

const hooked = (hook: "pre-delete" | "post-delete"): Case => ({
  title: `P25, ADR 8: a delete waits for the end of a creation that has a ${hook} hook, and then stops there`,
  run: async () => {
    const world = await aStack({ a: { ...slow(), hooks: [hook] } });
    await waitsFor(world, "a", "CREATE");
    const row = world.rows.find(({ name }) => name === "a");
    expectEqual("hook", row?.pause?.hook, hook);
    if (row !== undefined) await finish(world, await clearHook(world, row));
    await settle(world, "DELETE_COMPLETE");
  },
});

const providerIsLate: Case = {
  title: "P25, S1: nothing is left of a creation whose provider tells the id later",
  run: async () => {
    const world = await aStack({ a: late });
    await act(world, "DELETE");
    await drain(world);
    isAtWork(world, "a", "DELETE");
    await pass(world);
    verify(world, "DELETE_COMPLETE");
  },
};

export const DIRECTED_DELETES_AT_ONCE: readonly Case[] = [
  ...AT_ONCE.map(endsAtOnce),
  awaitsTheCall,
  callsAgain,
  wantedRunsOn,
  overtakenRemoval,
  retained,
  snapshotted,
  policyBefore,
  runningDelete,
  runningSnapshot,
  refusingProvider,
  sharedObject,
  sharedUnknown,
  hooked("pre-delete"),
  hooked("post-delete"),
  providerIsLate,
];
