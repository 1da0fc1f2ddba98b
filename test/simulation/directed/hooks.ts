/** Directed cases of hooks (ADR 8) and of the deletion policy Retain. */
import { present } from "#lib/errors.ts";
import type { Hook } from "#lib/model/hook.ts";
import {
  ask,
  aWorld,
  create,
  drain,
  expect,
  finish,
  runUntil,
  update,
  verify,
} from "../world/drive.ts";
import type { Spec } from "../world/spec.ts";
import { clearHook } from "../world/users.ts";
import type { World } from "../world/world.ts";
import { type Case, deliverNode, nodeName, theRow, v } from "./basics.ts";

const REDELIVERED_MS = 400_000;

const stopping = (...hooks: readonly Hook[]): Spec => ({
  a: { ...v("1"), hooks },
  b: v("1", { to: "a" }),
});

const isWaiting = (world: World, hook: Hook, objects: number): void => {
  const { pause } = theRow(world, "a");
  expect(pause?.hook === hook && !pause.cleared, `a does not wait at ${hook}`);
  expect(world.cloud.objects().length === objects, "the provider was called in spite of a hook");
  expect(world.queue.pending.length === 0, "somebody polls for a user");
};

const clear = (world: World): Promise<void> => ask(world, clearHook(world, theRow(world, "a")));

/** Crashes the visit of a at every one of its points: around the write of the pause, and behind it. */
const crashAtEveryPoint = async (hook: Hook, when: "before" | "after"): Promise<void> => {
  for (let point = 0; ; point++) {
    const world = aWorld();
    await create(world, stopping(hook));
    await drain(world, { visits: 1 });
    const visit = await deliverNode(world, "aU");
    for (let step = 0; step < point && !visit.finished; step++) await world.step(visit);
    if (visit.finished) return;
    await world.crash(visit, when);
    world.clock.advance(REDELIVERED_MS);
    await drain(world);
    isWaiting(world, hook, hook === "pre-create" ? 0 : 1);
    await clear(world);
    await drain(world);
    verify(world, "CREATE_COMPLETE");
  }
};

export const DIRECTED_HOOKS: readonly Case[] = [
  {
    title:
      "hooks: nothing is claimed before a pre-hook is cleared, nothing propagated before a post-hook is",
    run: async () => {
      const world = aWorld();
      await create(world, stopping("pre-create", "post-create"));
      await drain(world);
      isWaiting(world, "pre-create", 0);
      expect(theRow(world, "a").generation === 0, "the row was claimed");
      await clear(world);
      await drain(world);
      isWaiting(world, "post-create", 1);
      await clear(world);
      await drain(world);
      verify(world, "CREATE_COMPLETE");
    },
  },
  {
    title: "hooks: a worker that dies anywhere in the visit leaves a resource that waits",
    run: async () => {
      for (const hook of ["pre-create", "post-create"] as const) {
        await crashAtEveryPoint(hook, "before");
        await crashAtEveryPoint(hook, "after");
      }
    },
  },
  {
    title:
      "hooks: a clearing whose message is lost is found by the sweeper, a waiting one is left alone",
    run: async () => {
      for (const hook of ["pre-create", "post-create"] as const) {
        const world = aWorld();
        await create(world, stopping(hook));
        await drain(world);
        world.clock.advance(120_000);
        await finish(world, await world.sweep());
        expect(world.queue.pending.length === 0, "the sweeper disturbs who waits for a user");
        const user = await clearHook(world, theRow(world, "a"));
        await runUntil(world, user, "queue.send");
        await world.crash(user, "before");
        world.clock.advance(120_000);
        await finish(world, await world.sweep());
        await drain(world);
        verify(world, "CREATE_COMPLETE");
      }
    },
  },
  {
    title: "hooks: overtaken while it waits, a resource goes the way of the newer target at once",
    run: async () => {
      for (const hook of ["pre-create", "post-create"] as const) {
        const world = aWorld();
        await create(world, stopping(hook));
        await drain(world);
        const waiting = theRow(world, "a");
        await update(world, { a: v("2"), b: v("2", { to: "a" }) });
        await drain(world);
        verify(world, "UPDATE_COMPLETE");
        await ask(world, clearHook(world, waiting));
        await drain(world);
        verify(world, "UPDATE_COMPLETE");
      }
    },
  },
  {
    title: "hooks: overtaken between the look and the pause, the older visit writes nothing",
    run: async () => {
      const world = aWorld();
      await create(world, stopping("pre-create"));
      await drain(world, { visits: 1 });
      const visit = await deliverNode(world, "aU");
      await runUntil(world, visit, "store.writeResource");
      await update(world, { a: v("2") });
      await drain(world);
      await finish(world, visit);
      await drain(world);
      verify(world, "UPDATE_COMPLETE");
      expect(theRow(world, "a").pause === null, "the older traversal left its mark");
    },
  },
  {
    title: "hooks: a clearing that a newer traversal overtakes starts nothing",
    run: async () => {
      const world = aWorld();
      await create(world, stopping("pre-create"));
      await drain(world);
      const user = await clearHook(world, theRow(world, "a"));
      await update(world, { c: v("1") });
      await drain(world);
      await finish(world, user);
      await drain(world);
      verify(world, "UPDATE_COMPLETE");
      expect(world.cloud.calls().length === 1, "something was made for the older traversal");
    },
  },
  {
    title:
      "hooks: deleted while it waits, a stack goes; a delete that waits ends at the stack's deadline",
    run: async () => {
      const world = aWorld({ timeoutMins: 10 });
      await create(world, stopping("pre-create"));
      await drain(world);
      await ask(world, world.act("DELETE"));
      await drain(world);
      verify(world, "DELETE_COMPLETE");

      const other = aWorld({ timeoutMins: 10 });
      await create(other, stopping("pre-delete", "post-delete"));
      await drain(other);
      await ask(other, other.act("DELETE"));
      await drain(other);
      isWaiting(other, "pre-delete", 1);
      other.clock.advance(11 * 60_000);
      await finish(other, await other.sweep());
      verify(other, "DELETE_FAILED");
      await ask(other, other.act("DELETE"));
      await drain(other);
      isWaiting(other, "pre-delete", 1);
      await clear(other);
      await drain(other);
      const gone = present(
        other.rows.find((row) => row.name === "a"),
        "the tombstone of a",
      );
      expect(gone.pause?.hook === "post-delete", "a does not wait after its delete");
      await ask(other, clearHook(other, gone));
      await drain(other);
      verify(other, "DELETE_COMPLETE");
    },
  },
  {
    title:
      "hooks: two who clear the same hook make one visit, and a late duplicate of it changes nothing",
    run: async () => {
      const world = aWorld();
      await create(world, stopping("pre-create"));
      await drain(world);
      const row = theRow(world, "a");
      const [first, second] = [await clearHook(world, row), await clearHook(world, row)];
      await finish(world, first);
      await finish(world, second);
      expect(world.queue.pending.length === 1, "each clearing sent a visit");
      const duplicate = present(world.deliverable()[0], "the visit");
      await drain(world, { hold: (one) => nodeName(world, one) === "bU" });
      world.queue.pending.push(duplicate);
      await drain(world);
      verify(world, "CREATE_COMPLETE");
    },
  },
  {
    title: "hooks: an update waits before it decides, and what fails meanwhile ends the traversal",
    run: async () => {
      const world = aWorld({ disableRollback: false });
      await create(world, { a: v("1"), c: v("1") });
      await drain(world);
      await update(world, { a: { ...v("2"), hooks: ["pre-update"] }, c: v("2") });
      await drain(world, { hold: (one) => nodeName(world, one) === "cU" });
      const { pause } = theRow(world, "a");
      expect(pause?.hook === "pre-update" && !pause.cleared, "a does not wait at pre-update");
      const failing = await deliverNode(world, "cU");
      await runUntil(world, failing, "fakeProvider.update");
      world.refuseNext = true;
      await finish(world, failing);
      await drain(world);
      verify(world, "ROLLBACK_COMPLETE");
    },
  },
  {
    title:
      "Retain: what is removed, replaced or deleted with its stack leaves its object, and nobody owns that",
    run: async () => {
      const world = aWorld();
      const kept = (value: string): Spec => ({
        a: { properties: { "v!": value }, retained: true },
        b: v("1", { to: "a" }),
      });
      await create(world, kept("1"));
      await drain(world);
      await update(world, kept("2"));
      await drain(world);
      verify(world, "UPDATE_COMPLETE");
      await ask(world, world.act("DELETE"));
      await drain(world);
      verify(world, "DELETE_COMPLETE");
      expect(world.cloud.objects().length === 2, "an object was not retained");
    },
  },
];
