import type { PendingMessage } from "#lib/adapters/memory/queue.ts";
import { present } from "#lib/errors.ts";
import {
  act,
  aStack,
  ask,
  aWorld,
  create,
  drain,
  finish,
  nodeName,
  runUntil,
  settle,
  update,
} from "../world/drive.ts";
import type { Spec } from "../world/spec.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import type { Case } from "./case.ts";
import { replaced, v } from "./specs.ts";

const overtakenAfter = async (visits: number, inline: boolean): Promise<void> => {
  const world = await aStack(
    { a: v("1"), b: v("1", { to: "a" }), c: replaced("1", { to: "b" }) },
    { inline },
  );
  await update(world, { a: replaced("2"), b: v("2", { to: "a" }), c: replaced("2", { to: "b" }) });
  await drain(world, { visits });
  await update(world, { c: v("3"), b: v("3", { to: "c" }), d: v("1", { to: "b" }) });
  await settle(world, "UPDATE_COMPLETE");
  await act(world, "DELETE");
  await settle(world, "DELETE_COMPLETE");
};

const OVERTAKEN_VISITS_MAX = 16;

const ringOfLeftovers = async (visits: number, ending: "DELETE" | "UPDATE"): Promise<void> => {
  const world = await aStack({ a: v("1"), b: replaced("1", { to: "a" }) });
  const turned: Spec = { b: replaced("2"), a: v("2", { to: "b" }) };
  await update(world, turned);
  // The cleanups are held: the cleanup of the old b would come right after the new b.
  const isCleanup = (pending: PendingMessage) => nodeName(world, pending).endsWith("C");
  await drain(world, { visits, hold: isCleanup });
  await (ending === "DELETE" ? ask(world, world.act("DELETE")) : update(world, turned));
  await settle(world, `${ending}_COMPLETE`);
};

export const DIRECTED_BASICS: readonly Case[] = [
  {
    title: "P1, L8: an update overtakes an update after any number of its visits",
    run: async () => {
      for (let visits = 0; visits < OVERTAKEN_VISITS_MAX; visits++) {
        await overtakenAfter(visits, false);
        await overtakenAfter(visits, true);
      }
    },
  },
  {
    title:
      "P2, S12, D12, case 12: leftovers that close a ring can be deleted and updated, by the ring rule",
    run: async () => {
      for (let visits = 0; visits < OVERTAKEN_VISITS_MAX; visits++) {
        await ringOfLeftovers(visits, "DELETE");
        await ringOfLeftovers(visits, "UPDATE");
      }
    },
  },
  {
    title: "P1, T2: suspend refuses updates until resume, even after a check in between",
    run: async () => {
      const world = await aStack({ a: v("1") });
      for (const action of ["SUSPEND", "CHECK"] as const) {
        await act(world, action);
        await settle(world, `${action}_COMPLETE`);
      }
      await update(world, { a: v("2") });
      expectThat(world.stack?.action === "CHECK", "an update of a suspended stack was accepted");
      await act(world, "RESUME");
      await drain(world);
      await update(world, { a: v("2") });
      await settle(world, "UPDATE_COMPLETE");
    },
  },
  {
    title: "P9: a provider that asks for a replacement in mid-operation gets one",
    run: async () => {
      const world = aWorld();
      const spec = (value: string): Spec => ({
        a: { type: "Sim::Refusing", properties: { v: value } },
        b: v("1", { to: "a" }),
      });
      await create(world, spec("1"));
      await drain(world);
      await update(world, spec("2"));
      await settle(world, "UPDATE_COMPLETE");
    },
  },
  {
    title:
      "P7: a failed cleanup ends the update FAILED without a rollback, and its target becomes last_good",
    run: async () => {
      const world = await aStack({ a: v("1"), b: v("1") }, { disableRollback: false });
      await update(world, { a: v("2") });
      const isCleanup = (pending: PendingMessage) => nodeName(world, pending) === "bC";
      await drain(world, { hold: isCleanup });
      const cleanup = await world.deliver(
        present(world.deliverable().find(isCleanup), "cleanup of b"),
      );
      await runUntil(world, cleanup, "fakeProvider.delete");
      world.refuseNext = true;
      await finish(world, cleanup);
      await settle(world, "UPDATE_FAILED");
      expectEqual("last_good", world.stack?.lastGood, world.stack?.templateId);
    },
  },
  {
    title:
      "D1, case 13: rollback goes to the last template that completed, or to the empty one, also twice and at rest",
    run: async () => {
      const world = await aStack({ a: v("1") });
      await update(world, { a: v("2"), b: v("2", { to: "a" }) });
      await drain(world, { visits: 2 });
      await update(world, { a: v("3") });
      for (let time = 0; time < 2; time++) {
        await act(world, "ROLLBACK");
        await settle(world, "ROLLBACK_COMPLETE");
        expectEqual("target", world.stack?.templateId, "template-1");
      }
      const calls = world.provider.calls().length;
      await act(world, "ROLLBACK");
      await settle(world, "ROLLBACK_COMPLETE");
      expectEqual("provider calls", world.provider.calls().length, calls);
      const unfinished = aWorld();
      await create(unfinished, { a: v("1"), b: v("1", { to: "a" }) });
      await drain(unfinished, { visits: 2 });
      await act(unfinished, "ROLLBACK");
      await settle(unfinished, "ROLLBACK_COMPLETE");
      expectThat(
        unfinished.provider.objects().length === 0,
        "the rollback to nothing left an object",
      );
    },
  },
];
