import type { PendingMessage } from "#lib/adapters/memory/queue.ts";
import { createFirstTraversal } from "#lib/convergence/traversal/traversal.ts";
import { present } from "#lib/errors.ts";
import { RECEIVES_MAX } from "#lib/ports/queue.ts";
import { saveTemplate } from "#lib/stack/record/template-record.ts";
import {
  act,
  aPreparedStack,
  aStack,
  ask,
  deliverNode,
  deliverUntil,
  drain,
  finish,
  nodeName,
  REDELIVERED_MS,
  redeliver,
  refuse,
  runUntil,
  settle,
  sweep,
  theRow,
  update,
  verify,
} from "../world/drive.ts";
import { type Spec, templateOf } from "../world/spec.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import { REFUSAL } from "../world/watched-provider.ts";
import { TENANT, type World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { replaced, v } from "./specs.ts";

const MINUTE_MS = 60_000;

const deathAfterFailure: Case = {
  title:
    "P7, T1, T22: a worker dies after its resource failed: there is no second attempt, and the update is rolled back",
  run: async () => {
    for (let point = 0; ; point++) {
      const world = await aStack({ a: v("1") }, { disableRollback: false });
      await update(world, { a: v("2"), b: v("1") });
      await drain(world, { hold: "bU" });
      const failing = await deliverUntil(world, "bU", "fakeProvider.create");
      world.refuseNext = true;
      await world.step(failing);
      await runUntil(world, failing, "store.writeResource");
      await world.step(failing);
      for (let step = 0; step < point && !failing.finished; step++) await world.step(failing);
      const hasEnded = failing.finished;
      if (!hasEnded) await world.crash(failing, "before");
      await redeliver(world);
      await sweep(world);
      await settle(world, "ROLLBACK_COMPLETE");
      const attempts = world.rows.filter(({ name }) => name === "b");
      expectEqual("attempts at b", attempts.length, 1);
      if (hasEnded) return;
    }
  },
};

const oneMarkPerNode: Case = {
  title:
    "P4, T23: the replaced row is cleaned up although its update is done: each node has its own mark",
  run: async () => {
    const world = await aStack({ a: replaced("1"), b: v("1", { to: "a" }) });
    await update(world, { a: replaced("2"), b: v("1", { to: "a" }) });
    await settle(world, "UPDATE_COMPLETE");
    const of = (name: string) => world.rows.filter((row) => row.name === name);
    const traversal = world.stack?.traversalId;
    const [old, serving] = of("a");
    expectThat(old?.cleanupDone === traversal, "the old row was not cleaned up");
    expectThat(old?.updateDone !== traversal, "the old row counts as in service");
    expectThat(serving?.updateDone === traversal, "the new row does not serve");
  },
};

const arrivedAndNotSent: Case = {
  title:
    "P5, T24: a worker dies between an arrival and its send: its own message makes up for it, without the sweeper",
  run: async () => {
    const world = await aPreparedStack({ a: v("1"), b: v("1", { to: "a" }) });
    const dying = await deliverUntil(world, "aU", "store.arrive");
    await world.crash(dying, "after");
    await redeliver(world);
    verify(world, "CREATE_COMPLETE");
  },
};

const redeliveredReplacement: Case = {
  title:
    "C5, P5, P9, S19, T27: a redelivered replacement acts for the row that the graph names, and its dependents refer to the new row",
  run: async () => {
    const world = await aStack({ a: replaced("1"), b: v("1", { to: "a" }) });
    await update(world, { a: replaced("2"), b: v("1", { to: "a" }) });
    await drain(world, { hold: "?U" });
    const dying = await deliverUntil(world, "?U", "store.arrive");
    await world.crash(dying, "before");
    await redeliver(world);
    verify(world, "UPDATE_COMPLETE");
    const b = world.provider.objects().find(({ logicalName }) => logicalName === "b");
    expectThat(
      b?.properties["to"] === theRow(world, "a").physicalResourceId,
      "b refers to the old a",
    );
  },
};

const cleanupFailsFirst: Case = {
  title:
    "P7, S13, T28: a cleanup that fails early ends the update once that is good, or is rolled back with it",
  run: async () => {
    for (const fails of [false, true]) {
      const world = await aStack({ a: v("1"), b: v("1") }, { disableRollback: false });
      await update(world, { a: v("2") });
      await drain(world, { hold: (one) => /aU|bC/.test(nodeName(world, one)) });
      await refuse(world, "bC", "delete");
      expectEqual("status of the stack", world.stack?.status, "IN_PROGRESS");
      expectThat(
        world.stack?.lastGood === "template-1",
        "last_good has moved before the update is good",
      );
      const visit = await deliverUntil(world, "aU", "fakeProvider.update");
      world.refuseNext = fails;
      await finish(world, visit);
      await settle(world, fails ? "ROLLBACK_COMPLETE" : "UPDATE_FAILED");
      const good = fails ? "template-1" : "template-2";
      expectEqual("last_good", world.stack?.lastGood, good);
    }
  },
};

const checkMovesNothing: Case = {
  title:
    "P8, S13, T31: a CHECK does not make a failed update's template last_good; a rollback still goes to the former one",
  run: async () => {
    const world = await aStack({ a: v("1") });
    await update(world, { a: v("2"), b: v("1") });
    await drain(world, { hold: "bU" });
    await refuse(world, "bU", "create");
    await act(world, "CHECK");
    await drain(world);
    expectThat(world.stack?.action === "CHECK", "the CHECK was not accepted");
    expectEqual("last_good", world.stack?.lastGood, "template-1");
    await act(world, "ROLLBACK");
    await settle(world, "ROLLBACK_COMPLETE");
  },
};

const fencedReplacement: Case = {
  title:
    "P9, T32: a visit that is fenced between its decision to replace and its write creates no row",
  run: async () => {
    const world = await aStack({ a: replaced("1") });
    await update(world, { a: replaced("2") });
    await drain(world, { visits: 1 });
    const older = await deliverUntil(world, "aU", "store.writeResource");
    await act(world, "ROLLBACK");
    await settle(world, "ROLLBACK_COMPLETE");
    await finish(world, older);
    await settle(world, "ROLLBACK_COMPLETE");
    expectEqual("rows", world.rows.length, 1);
  },
};

const lateReplacement: Case = {
  title:
    "P9, P10, T33, T35: a new row survives until its late visit, and the old row is not cleaned up before it serves",
  run: async () => {
    const world = await aStack({ a: replaced("1"), b: v("1", { to: "a" }) });
    await update(world, { a: replaced("2"), b: v("1", { to: "a" }) });
    const isNewRow = (one: PendingMessage) => nodeName(world, one) === "?U";
    await drain(world, { hold: isNewRow });
    for (let minute = 0; minute < 10; minute++) {
      world.clock.advance(MINUTE_MS);
      world.store.purgeExpired(world.clock.now());
      await sweep(world);
      await drain(world, { hold: isNewRow });
    }
    expectEqual("objects at the provider", world.provider.objects().length, 2);
    await settle(world, "UPDATE_COMPLETE");
  },
};

const unwantedNewRow: Case = {
  title: "P10, T34: an unwanted new row becomes a tombstone, so that its cleanup can be repeated",
  run: async () => {
    const world = await aStack({ a: replaced("1") });
    await update(world, { a: replaced("2") });
    await drain(world, { visits: 2 });
    await act(world, "ROLLBACK");
    await finish(world, await deliverNode(world, "prepare"));
    const dying = await deliverUntil(world, "aC", "store.arrive");
    expectEqual("rows", world.rows.length, 2);
    await world.crash(dying, "before");
    await redeliver(world);
    verify(world, "ROLLBACK_COMPLETE");
  },
};

const poisonedDuplicates: Case = {
  title: "P12, T38: a poisoned duplicate of a done or running visit fails nothing",
  run: async () => {
    const world = await aPreparedStack({
      a: v("1"),
      s: { type: "Sim::Slow", properties: { v: "1" } },
    });
    const visits = [...world.deliverable()];
    await drain(world);
    for (const pending of visits) await finish(world, await world.deliver(pending, false, true));
    expectEqual("status of the stack", world.stack?.status, "IN_PROGRESS");
    world.clock.advance(10_000);
    await settle(world, "CREATE_COMPLETE");
  },
};

const anotherStack = (world: World, id: string, spec: Spec) =>
  world.user("another user creates", async () => {
    const templateId = world.newTemplate(spec);
    await saveTemplate(world.ports, TENANT, id, templateId, templateOf(spec));
    const flags = { timeoutMins: 60, disableRollback: true, tags: [], description: "" };
    await createFirstTraversal(world.ports, {
      tenant: TENANT,
      id,
      name: "other",
      templateId,
      ...flags,
    });
  });

const poisoned: Case = {
  title:
    "L7, P12: a message that is given up after ten deliveries fails its own stack with a reason, and no other",
  run: async () => {
    const world = await aPreparedStack({ a: v("1"), b: v("1") });
    await ask(world, anotherStack(world, "stack-2", { x: v("1"), y: v("1", { to: "x" }) }));
    const isPoisoned = (one: PendingMessage) => nodeName(world, one) === "aU";
    for (let receives = 0; receives < RECEIVES_MAX; receives++) {
      await drain(world, { hold: isPoisoned });
      const worker = await deliverNode(world, "aU");
      await world.fail(worker, new Error(REFUSAL));
      world.clock.advance(REDELIVERED_MS);
    }
    expectEqual("status of the stack", world.stack?.status, "IN_PROGRESS");
    await settle(world, "CREATE_FAILED");
    expectThat(
      world.stack?.statusReason.includes("given up") ?? false,
      world.stack?.statusReason ?? "",
    );
    const other = present(world.stacks.get("stack-2"), "the other stack");
    expectEqual("status of the other stack", other.status, "COMPLETE");
  },
};

const deadAgent: Case = {
  title: "L4, P7: a stack whose agent never answers ends at its deadline, by the sweeper alone",
  run: async () => {
    const world = await aStack(
      { w: { type: "Sim::Waiting", properties: { v: "1" } } },
      { timeoutMins: 10 },
    );
    for (const poll of [...world.queue.pending]) world.drop(poll);
    for (let minute = 0; minute < 12; minute++) {
      world.clock.advance(MINUTE_MS);
      await sweep(world);
      await drain(world);
    }
    verify(world, "CREATE_FAILED");
    expectThat(
      world.stack?.statusReason.includes("timed out") ?? false,
      world.stack?.statusReason ?? "",
    );
  },
};

export const DIRECTED_TRACES_OF_ENDS: readonly Case[] = [
  deathAfterFailure,
  oneMarkPerNode,
  arrivedAndNotSent,
  redeliveredReplacement,
  cleanupFailsFirst,
  checkMovesNothing,
  fencedReplacement,
  lateReplacement,
  unwantedNewRow,
  poisonedDuplicates,
  poisoned,
  deadAgent,
];
