import { present } from "#lib/errors.ts";
import {
  act,
  aPreparedStack,
  aStack,
  aWorld,
  create,
  deliverUntil,
  drain,
  finish,
  LEASE_PASSED_MS,
  messageFor,
  redeliver,
  refuse,
  settle,
  sweep,
  theRow,
  update,
  verify,
} from "../world/drive.ts";
import { expectEqual } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { v } from "./specs.ts";

export const DIRECTED_FAULTS: readonly Case[] = [
  {
    title: "P11, T37: in a stack at rest the sweeper finds the operation whose poll was lost",
    run: async () => {
      const world = aWorld();
      await create(world, { a: { type: "Sim::Slow", properties: { v: "1" } }, b: v("1") });
      await drain(world, { hold: "bU" });
      const [poll] = world.queue.pending.filter((one) => one.queue === "poll");
      world.drop(present(poll, "the poll"));
      await refuse(world, "bU", "create");
      verifyFailed(world);
      world.clock.advance(60_000);
      await sweep(world);
      await settle(world, "CREATE_FAILED");
      expectEqual("status of a", theRow(world, "a").status, "COMPLETE");
    },
  },
  {
    title: "P7, T29: the deadline in the cleanup of a good update does not roll it back",
    run: async () => {
      const world = await aStack(
        { a: v("1"), b: v("1") },
        { disableRollback: false, timeoutMins: 10 },
      );
      await update(world, { a: v("2") });
      await drain(world, { hold: "bC" });
      world.clock.advance(11 * 60_000);
      await sweep(world);
      await settle(world, "UPDATE_FAILED");
      expectEqual("last_good", world.stack?.lastGood, world.stack?.templateId);
    },
  },
  {
    title:
      "P3.3: a visit that waits for a busy row is redelivered if the holder dies before it wakes the visit",
    run: async () => {
      const world = await aPreparedStack({ a: v("1") });
      const holder = await deliverUntil(world, "aU", "fakeProvider.create");
      await update(world, { a: v("2") });
      await drain(world);
      await world.step(holder);
      await world.step(holder);
      await world.crash(holder, "before");
      world.clock.advance(LEASE_PASSED_MS);
      await drain(world);
      await redeliver(world);
      verify(world, "UPDATE_COMPLETE");
    },
  },
  {
    title:
      "P4, S8, T14, T21: a row whose update failed half-way is still deleted before what its object refers to",
    run: async () => {
      const world = await aStack({ a: v("1"), b: v("1", { to: "a" }) });
      await update(world, { c: v("1"), b: v("1", { to: "c" }) });
      await drain(world, { hold: "bU" });
      await refuse(world, "bU", "update");
      verifyFailed(world);
      await act(world, "DELETE");
      await settle(world, "DELETE_COMPLETE");
    },
  },
  {
    title: "S15: a worker that continues after its lease was taken writes nothing",
    run: async () => {
      const world = await aPreparedStack({ a: v("1") });
      const zombie = await deliverUntil(world, "aU", "fakeProvider.create");
      await world.step(zombie);
      world.clock.advance(LEASE_PASSED_MS);
      await update(world, { a: v("2") });
      await settle(world, "UPDATE_COMPLETE");
      await finish(world, zombie);
      await settle(world, "UPDATE_COMPLETE");
    },
  },
  {
    title: "P3.2, T13: a late duplicate of an update does not take over the row's delete",
    run: async () => {
      const world = await aStack({ a: { properties: { "v!": "1" } } });
      await update(world, { a: { properties: { "v!": "2" } } });
      await drain(world, { visits: 1 });
      const late = messageFor(world, "aU");
      await drain(world, { hold: "aC" });
      const cleanup = await deliverUntil(world, "aC", "fakeProvider.delete");
      await world.crash(cleanup, "before");
      world.clock.advance(LEASE_PASSED_MS);
      await finish(world, await world.deliver(late));
      await drain(world);
      await redeliver(world);
      verify(world, "UPDATE_COMPLETE");
    },
  },
  {
    title: "P3.4, T16: a worker that gets the answer of its claim after its lease makes no call",
    run: async () => {
      const world = await aPreparedStack({
        a: { type: "Sim::Searchable", properties: { v: "1" } },
      });
      const late = await deliverUntil(world, "aU", "store.writeResource");
      await world.slowly(late, 0);
      world.clock.advance(LEASE_PASSED_MS + 60_000);
      await sweep(world);
      await settle(world, "CREATE_COMPLETE");
      await finish(world, late);
      await settle(world, "CREATE_COMPLETE");
    },
  },
  {
    title:
      "P3.1: a resource whose creation failed is neither suspended nor resumed, and CHECK reports it",
    run: async () => {
      const world = aWorld();
      await create(world, { a: v("1"), b: v("1", { to: "a" }) });
      await drain(world, { hold: "bU" });
      await refuse(world, "bU", "create");
      verifyFailed(world);
      for (const action of ["SUSPEND", "RESUME", "CHECK"] as const) {
        await act(world, action);
        await settle(world, action === "CHECK" ? "CHECK_FAILED" : `${action}_COMPLETE`);
        const { action: last, status } = theRow(world, "b");
        expectEqual("state of b", `${last}_${status}`, "CREATE_FAILED");
      }
    },
  },
  {
    title:
      "P12, P27, T101: a dead letter of a CHECK leaves the failure of a row that was never created",
    run: async () => {
      const world = aWorld();
      await create(world, { a: v("1") });
      await drain(world, { hold: "aU" });
      await refuse(world, "aU", "create");
      verifyFailed(world);
      await act(world, "CHECK");
      await drain(world, { hold: "aU" });
      await finish(world, await world.deliver(messageFor(world, "aU"), false, true));
      await settle(world, "CHECK_FAILED");
      const { action, status } = theRow(world, "a");
      expectEqual("state of a", `${action}_${status}`, "CREATE_FAILED");
      await update(world, { a: v("2") });
      await settle(world, "UPDATE_COMPLETE");
      expectEqual("objects at the provider", world.provider.objects().length, 1);
    },
  },
  {
    title: "P11: the sweeper sends nothing for nodes that are done or wait for their agent",
    run: async () => {
      const world = aWorld();
      const waiting = { type: "Sim::Waiting", properties: { v: "1" }, refers: { to: "a" } };
      await create(world, { a: v("1"), b: waiting });
      await drain(world);
      world.clock.advance(10_000);
      const before = world.queue.pending.length;
      await sweep(world);
      expectEqual("messages in the queue", world.queue.pending.length, before);
    },
  },
];

const verifyFailed = (world: World): void =>
  expectEqual("status of the stack", world.stack?.status, "FAILED");
