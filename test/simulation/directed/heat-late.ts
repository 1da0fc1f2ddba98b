/**
 * Cases 11 to 19 of docs/rules/cases-and-traces.md. Nested stacks, wide graphs and rings are in
 * other files.
 */
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
  runUntil,
  settle,
  sweep,
  theRow,
  update,
  verify,
} from "../world/drive.ts";
import type { Spec } from "../world/spec.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import type { Worker } from "../world/workers.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { replaced, v } from "./specs.ts";

const lastWorkerDies: Case = {
  title:
    "P11, L5, case 11: the last worker dies and its message is lost; the sweeper ends the stack",
  run: async () => {
    for (const call of ["fakeProvider.create", "store.arrive", "store.writeStack"]) {
      const world = await aPreparedStack({ a: v("1") });
      const dying = await deliverUntil(world, "aU", call);
      await world.crash(dying, "before");
      for (const pending of [...world.queue.pending]) world.drop(pending);
      world.clock.advance(LEASE_PASSED_MS + 60_000);
      await sweep(world);
      await settle(world, "CREATE_COMPLETE");
    }
  },
};

const aboutToComplete = async (world: World): Promise<Worker> => {
  await create(world, { a: v("1") });
  await drain(world, { visits: 1 });
  const last = await deliverUntil(world, "aU", "store.writeStack");
  return last;
};

const requestDuringCompletion: Case = {
  title:
    "P1, S11, case 15: a cancel or a delete during the completion wins or loses, and the traversal ends once",
  run: async () => {
    for (const request of ["cancel", "DELETE"] as const) {
      for (const isFirst of [true, false]) {
        const world = aWorld();
        const last = await aboutToComplete(world);
        const asked = await (request === "cancel" ? world.cancel() : world.act("DELETE"));
        await runUntil(world, asked, "store.writeStack");
        for (const worker of isFirst ? [asked, last] : [last, asked]) await finish(world, worker);
        await drain(world);
        const lost = request === "cancel" ? "CREATE_FAILED" : "DELETE_COMPLETE";
        verify(world, isFirst ? lost : "CREATE_COMPLETE");
      }
    }
  },
};

const twoUpdates: Case = {
  title:
    "P1, S14, case 15: of two updates that saw the same state, one is accepted and the other refused",
  run: async () => {
    const world = await aStack({ a: v("1") });
    const one = await world.act("UPDATE", { a: v("2") });
    const other = await world.act("UPDATE", { a: v("3") });
    for (const request of [one, other]) await runUntil(world, request, "store.writeStack");
    await finish(world, other);
    await finish(world, one);
    const answers = world.story.filter((line) => line.startsWith("  user asks for UPDATE"));
    const [first = "", second = ""] = answers;
    expectThat(first.endsWith("accepted as 2"), first);
    expectThat(second.endsWith("another request was faster"), second);
    await settle(world, "UPDATE_COMPLETE");
    expectEqual("target", world.stack?.templateId, "template-3");
  },
};

const chainOfReplacements: Case = {
  title:
    "P9, case 17: a replacement that is replaced itself still acts for the row that the graph names",
  run: async () => {
    const world = aWorld();
    const picky = (value: string): Spec => ({
      a: { type: "Sim::Picky", properties: { "v!": value } },
      b: v("1", { to: "a" }),
    });
    await create(world, picky("1"));
    await settle(world, "CREATE_COMPLETE");
    await update(world, picky("2"));
    await settle(world, "UPDATE_COMPLETE");
    const made = world.rows.filter(({ name }) => name === "a");
    const serving = made.find(({ updateDone }) => updateDone === world.stack?.traversalId);
    const before = made.find(({ id }) => id === serving?.replaces);
    expectThat(before?.generation === 1 && before.replaces !== null, "a was not replaced twice");
    const b = world.provider.objects().find(({ logicalName }) => logicalName === "b");
    expectThat(
      b?.properties["to"] === serving?.physicalResourceId,
      "b does not refer to the last replacement",
    );
    await act(world, "DELETE");
    await settle(world, "DELETE_COMPLETE");
  },
};

const createdInRollback: Case = {
  title: "P2, case 18: a rollback creates a resource that has no row left",
  run: async () => {
    const world = await aStack({ a: v("1"), e: v("1") });
    await update(world, { a: v("2"), e: v("1"), f: v("1") });
    await drain(world, { visits: 1 });
    await update(world, { a: v("3") });
    await drain(world, { hold: "aU" });
    const left = world.rows.filter(({ name, action }) => name === "e" && action !== "DELETE");
    expectEqual("rows of e", left.length, 0);
    await act(world, "ROLLBACK");
    await settle(world, "ROLLBACK_COMPLETE");
    expectEqual("action of e", theRow(world, "e").action, "CREATE");
  },
};

const forthAndBack = async (before: Spec, after: Spec): Promise<World> => {
  const world = await aStack(before);
  await update(world, after);
  await settle(world, "UPDATE_COMPLETE");
  await update(world, before);
  await settle(world, "UPDATE_COMPLETE");
  return world;
};

const everythingChanges: Case = {
  title:
    "P3.1, case 19: type and property change together, a dependency turns round, a resource is renamed; forth and back",
  run: async () => {
    await forthAndBack(
      { a: v("1"), b: v("1", { to: "a" }) },
      { a: { type: "Sim::Searchable", properties: { v: "2" } }, b: v("1", { to: "a" }) },
    );
    await forthAndBack(
      { a: v("1"), b: v("1", { to: "a" }) },
      { b: v("1"), a: v("1", { to: "b" }) },
    );
    const turned = { b: replaced("2"), a: replaced("2", { to: "b" }) };
    await forthAndBack({ a: replaced("1"), b: replaced("1", { to: "a" }) }, turned);
    const world = await forthAndBack(
      { a: replaced("1"), b: v("1", { to: "a" }) },
      { c: replaced("2"), b: v("1", { to: "c" }) },
    );
    expectEqual("objects at the provider", world.provider.objects().length, 2);
  },
};

const calls = (world: World): readonly string[] =>
  world.provider
    .calls()
    .filter(({ effect }) => effect)
    .map(({ kind, token }) => {
      const row = present(
        world.rows.find(({ id }) => token.startsWith(id)),
        `the row of ${token}`,
      );
      return `${kind} ${row.name}`;
    });

const inOrder: Case = {
  title:
    "C2, S6, S7: a resource is created before its dependents and deleted after them, in any order of messages",
  run: async () => {
    const world = await aStack({ c: v("1", { to: "b" }), b: v("1", { to: "a" }), a: v("1") });
    verify(world, "CREATE_COMPLETE");
    expectEqual("calls", calls(world).join(), "create a,create b,create c");
    await act(world, "DELETE");
    for (;;) {
      const newest = world.deliverable().at(-1);
      if (newest === undefined) break;
      await finish(world, await world.deliver(newest));
    }
    verify(world, "DELETE_COMPLETE");
    const order = calls(world).slice(3).join();
    expectEqual("calls of the delete", order, "delete c,delete b,delete a");
  },
};

export const DIRECTED_HEAT_LATE: readonly Case[] = [
  lastWorkerDies,
  requestDuringCompletion,
  twoUpdates,
  chainOfReplacements,
  createdInRollback,
  everythingChanges,
  inOrder,
];
