import { present } from "#lib/errors.ts";
import type { Hook } from "#lib/model/resource.ts";
import {
  act,
  aPreparedStack,
  aStack,
  ask,
  aWorld,
  create,
  deliverNode,
  deliverUntil,
  drain,
  finish,
  redeliver,
  refuse,
  runUntil,
  settle,
  sweep,
  theRow,
  update,
  verify,
} from "../world/drive.ts";
import type { Spec } from "../world/spec.ts";
import { clearHook } from "../world/users.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { v } from "./specs.ts";

const stopping = (...hooks: readonly Hook[]): Spec => ({
  a: { ...v("1"), hooks },
  b: v("1", { to: "a" }),
});

const isWaiting = (world: World, hook: Hook, objects: number): void => {
  const { pause } = theRow(world, "a");
  expectThat(pause?.hook === hook && !pause.cleared, `a does not wait at ${hook}`);
  expectEqual("objects at the provider", world.provider.objects().length, objects);
  expectEqual("messages in the queue", world.queue.pending.length, 0);
};

const clear = (world: World): Promise<void> => ask(world, clearHook(world, theRow(world, "a")));

const crashAtEveryPoint = async (hook: Hook, when: "before" | "after"): Promise<void> => {
  for (let point = 0; ; point++) {
    const world = await aPreparedStack(stopping(hook));
    const visit = await deliverNode(world, "aU");
    for (let step = 0; step < point && !visit.finished; step++) await world.step(visit);
    if (visit.finished) return;
    await world.crash(visit, when);
    await redeliver(world);
    isWaiting(world, hook, hook === "pre-create" ? 0 : 1);
    await clear(world);
    await settle(world, "CREATE_COMPLETE");
  }
};

export const DIRECTED_HOOKS: readonly Case[] = [
  {
    title:
      "hooks: nothing is claimed before a pre-hook is cleared, and nothing is propagated before a post-hook is cleared",
    run: async () => {
      const world = await aStack(stopping("pre-create", "post-create"));
      isWaiting(world, "pre-create", 0);
      expectEqual("generation of a", theRow(world, "a").generation, 0);
      await clear(world);
      await drain(world);
      isWaiting(world, "post-create", 1);
      await clear(world);
      await settle(world, "CREATE_COMPLETE");
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
      "hooks: the sweeper finds a cleared hook whose message was lost, and leaves a waiting one alone",
    run: async () => {
      for (const hook of ["pre-create", "post-create"] as const) {
        const world = await aStack(stopping(hook));
        world.clock.advance(120_000);
        await sweep(world);
        expectEqual("messages in the queue", world.queue.pending.length, 0);
        const user = await clearHook(world, theRow(world, "a"));
        await runUntil(world, user, "queue.send");
        await world.crash(user, "before");
        world.clock.advance(120_000);
        await sweep(world);
        await settle(world, "CREATE_COMPLETE");
      }
    },
  },
  {
    title: "hooks: a resource that is overtaken while it waits follows the newer target at once",
    run: async () => {
      for (const hook of ["pre-create", "post-create"] as const) {
        const world = await aStack(stopping(hook));
        const waiting = theRow(world, "a");
        await update(world, { a: v("2"), b: v("2", { to: "a" }) });
        await settle(world, "UPDATE_COMPLETE");
        await ask(world, clearHook(world, waiting));
        await settle(world, "UPDATE_COMPLETE");
      }
    },
  },
  {
    title: "hooks: a visit that is overtaken between its read and the pause writes nothing",
    run: async () => {
      const world = await aPreparedStack(stopping("pre-create"));
      const visit = await deliverUntil(world, "aU", "store.writeResource");
      await update(world, { a: v("2") });
      await drain(world);
      await finish(world, visit);
      await settle(world, "UPDATE_COMPLETE");
      expectEqual("pause of a", theRow(world, "a").pause, null);
    },
  },
  {
    title: "hooks: a clearing that a newer traversal overtakes starts nothing",
    run: async () => {
      const world = await aStack(stopping("pre-create"));
      const user = await clearHook(world, theRow(world, "a"));
      await update(world, { c: v("1") });
      await drain(world);
      await finish(world, user);
      await settle(world, "UPDATE_COMPLETE");
      expectEqual("provider calls", world.provider.calls().length, 1);
    },
  },
  {
    title:
      "hooks: a stack that waits can be deleted; a delete that waits ends at the stack's deadline",
    run: async () => {
      const world = await aStack(stopping("pre-create"), { timeoutMins: 10 });
      await act(world, "DELETE");
      await settle(world, "DELETE_COMPLETE");

      const other = aWorld({ timeoutMins: 10 });
      await create(other, stopping("pre-delete", "post-delete"));
      await drain(other);
      await act(other, "DELETE");
      await drain(other);
      isWaiting(other, "pre-delete", 1);
      other.clock.advance(11 * 60_000);
      await sweep(other);
      verify(other, "DELETE_FAILED");
      await act(other, "DELETE");
      await drain(other);
      isWaiting(other, "pre-delete", 1);
      await clear(other);
      await drain(other);
      const gone = present(
        other.rows.find((row) => row.name === "a"),
        "the tombstone of a",
      );
      expectThat(gone.pause?.hook === "post-delete", "a does not wait after its delete");
      await ask(other, clearHook(other, gone));
      await settle(other, "DELETE_COMPLETE");
    },
  },
  {
    title:
      "hooks: two users who clear the same hook cause one visit, and its late duplicate changes nothing",
    run: async () => {
      const world = await aStack(stopping("pre-create"));
      const row = theRow(world, "a");
      const [first, second] = [await clearHook(world, row), await clearHook(world, row)];
      await finish(world, first);
      await finish(world, second);
      expectEqual("messages in the queue", world.queue.pending.length, 1);
      const duplicate = present(world.deliverable()[0], "the visit");
      await drain(world, { hold: "bU" });
      world.queue.pending.push(duplicate);
      await settle(world, "CREATE_COMPLETE");
    },
  },
  {
    title: "hooks: an update waits before it decides, and a failure meanwhile ends the traversal",
    run: async () => {
      const world = await aStack({ a: v("1"), c: v("1") }, { disableRollback: false });
      await update(world, { a: { ...v("2"), hooks: ["pre-update"] }, c: v("2") });
      await drain(world, { hold: "cU" });
      const { pause } = theRow(world, "a");
      expectThat(pause?.hook === "pre-update" && !pause.cleared, "a does not wait at pre-update");
      await refuse(world, "cU", "update");
      await settle(world, "ROLLBACK_COMPLETE");
    },
  },
  {
    title: "Retain: a removed, replaced or deleted resource leaves its object, which no row owns",
    run: async () => {
      const world = aWorld();
      const kept = (value: string): Spec => ({
        a: { properties: { "v!": value }, retained: true },
        b: v("1", { to: "a" }),
      });
      await create(world, kept("1"));
      await drain(world);
      await update(world, kept("2"));
      await settle(world, "UPDATE_COMPLETE");
      await act(world, "DELETE");
      await settle(world, "DELETE_COMPLETE");
      expectEqual("objects at the provider", world.provider.objects().length, 2);
    },
  },
];
