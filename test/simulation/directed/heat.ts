/** Cases 1 to 9 of docs/convergence.md: each broke Heat once (LP and SB are its bug numbers). */
import { present } from "#lib/errors.ts";
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
import type { Worker } from "../world/workers.ts";
import type { World } from "../world/world.ts";
import { type Case, deliverNode, nodeName, replaced, theRow, v, waiting } from "./basics.ts";

const REDELIVERED_MS = 400_000;

const refuseAt = async (world: World, worker: Worker, call: string): Promise<void> => {
  await runUntil(world, worker, `fakeProvider.${call}`);
  world.refuseNext = true;
  await finish(world, worker);
};

const refusing = (value: string): Spec => ({
  a: { type: "Sim::Refusing", properties: { v: value } },
  b: v("1", { to: "a" }),
});

const overtakenWhileReplacing: Case = {
  title:
    "P9, case 1: who is overtaken while it finds out that it must replace leaves that to the newer traversal (LP 1625073)",
  run: async () => {
    const world = aWorld();
    await create(world, refusing("1"));
    await drain(world);
    await update(world, refusing("2"));
    await drain(world, { visits: 1 });
    const older = await deliverNode(world, "aU");
    await runUntil(world, older, "store.writeResource");
    await world.step(older);
    await runUntil(world, older, "store.writeResource");
    await update(world, refusing("3"));
    await drain(world);
    expect(world.stack?.status === "IN_PROGRESS", "the newer one is not blocked");
    await finish(world, older);
    await drain(world);
    verify(world, "UPDATE_COMPLETE");
    expect(world.rows.length === 3, `${world.rows.length} rows`);
  },
};

/** How an overtaken visit of a may end, after the newer traversal has met the row busy. */
const overtakenEnds = {
  failure: (world: World, worker: Worker) => refuseAt(world, worker, "update"),
  death: async (world: World, worker: Worker) => {
    await world.crash(worker, "after");
    world.clock.advance(REDELIVERED_MS);
  },
} as const;

const overtakenAndFailing: Case = {
  title:
    "P4, case 2: an overtaken visit fails, dies, times out or is cancelled, and the newer traversal comes to its end (LP 1721654, 1727007)",
  run: async () => {
    for (const end of ["failure", "death"] as const) {
      const world = aWorld();
      await create(world, { a: v("1") });
      await drain(world);
      await update(world, { a: v("2") });
      await drain(world, { visits: 1 });
      const older = await deliverNode(world, "aU");
      await runUntil(world, older, "fakeProvider.update");
      await update(world, { a: v("3") });
      await drain(world);
      await overtakenEnds[end](world, older);
      await drain(world);
      verify(world, "UPDATE_COMPLETE");
    }
    await timesOut();
    await isCancelled();
  },
};

const timesOut = async (): Promise<void> => {
  const world = aWorld();
  const impatient = (value: string): Spec => ({
    w: { type: "Sim::Impatient", properties: { v: value } },
  });
  await create(world, impatient("1"));
  await drain(world);
  world.clock.advance(100_000);
  const poll = await deliverNode(world, "wU");
  await runUntil(world, poll, "store.writeResource");
  await world.step(poll);
  await runUntil(world, poll, "store.writeResource");
  await update(world, impatient("2"));
  await drain(world);
  await finish(world, poll);
  const reason = theRow(world, "w").statusReason;
  expect(reason.endsWith("timed out"), reason);
  await drain(world);
  await ask(world, world.signal(theRow(world, "w"), "COMPLETE"));
  await drain(world);
  verify(world, "UPDATE_COMPLETE");
};

const isCancelled = async (): Promise<void> => {
  const world = aWorld();
  await create(world, { a: v("1"), b: v("1", { to: "a" }) });
  await drain(world, { visits: 1 });
  const older = await deliverNode(world, "aU");
  await runUntil(world, older, "fakeProvider.create");
  await ask(world, world.cancel());
  await update(world, { a: v("2"), b: v("2", { to: "a" }) });
  await drain(world);
  await finish(world, older);
  await drain(world);
  verify(world, "UPDATE_COMPLETE");
};

const replacementTooLate: Case = {
  title:
    "P3.0, case 3: a replacement's visit that comes after the rollback makes nothing, and a repeated one leaves nothing behind",
  run: async () => {
    for (const isCreated of [false, true]) {
      const world = aWorld();
      await create(world, { a: replaced("1") });
      await drain(world);
      await update(world, { a: replaced("2") });
      await drain(world, { visits: 2 });
      const late = present(world.deliverable().at(-1), "the visit of the replacement");
      if (isCreated) await finish(world, await world.deliver(late, true));
      world.drop(late);
      await ask(world, world.act("ROLLBACK"));
      await drain(world, { visits: 1 });
      await finish(world, await world.deliver(late));
      await drain(world);
      await finish(world, await world.deliver(late));
      await drain(world);
      verify(world, "ROLLBACK_COMPLETE");
      expect(world.cloud.objects().length === 1, "an object was left behind");
    }
  },
};

const newbornOfAnother: Case = {
  title:
    "P3.1, case 4: a newborn of an interrupted traversal is created with the newer one's definition (LP 1663745)",
  run: async () => {
    const world = aWorld();
    await create(world, { a: replaced("1"), b: v("1", { to: "a" }) });
    await drain(world);
    await update(world, { a: replaced("2"), b: v("1", { to: "a" }) });
    await drain(world, { visits: 2 });
    const newborn = present(
      world.rows.find(({ action }) => action === "INIT"),
      "the newborn",
    );
    await update(world, { a: replaced("3"), b: v("1", { to: "a" }) });
    await drain(world);
    verify(world, "UPDATE_COMPLETE");
    expect(theRow(world, "a").id === newborn.id, "another row was made");
  },
};

const olderDelete: Case = {
  title:
    "P2, S4, case 5: an older cleanup does not delete a row that the newer traversal has chosen; what it has begun is made good (LP 1528560)",
  run: async () => {
    for (const call of ["store.writeResource", "fakeProvider.delete"] as const) {
      const world = aWorld();
      await create(world, { a: v("1"), b: v("1") });
      await drain(world);
      const before = theRow(world, "a");
      await update(world, { b: v("1") });
      await drain(world, { hold: (one) => nodeName(world, one) === "aC" });
      const older = await deliverNode(world, "aC");
      await runUntil(world, older, call);
      await update(world, { a: v("1"), b: v("1") });
      await finish(world, await deliverNode(world, "prepare"));
      await finish(world, older);
      await drain(world);
      world.clock.advance(REDELIVERED_MS);
      await drain(world);
      verify(world, "UPDATE_COMPLETE");
      const isKept = theRow(world, "a").id === before.id;
      expect(isKept === (call === "store.writeResource"), `a is ${isKept ? "" : "not "}kept`);
    }
  },
};

const soleRoot: Case = {
  title:
    "P5, case 6: a replacement that is the only root fills the stack's point under the graph's own row (LP 1614960)",
  run: async () => {
    const world = aWorld();
    await create(world, { a: replaced("1") });
    await drain(world);
    await update(world, { a: replaced("2") });
    await drain(world, { hold: (one) => nodeName(world, one) === "aC" });
    const isGood = world.store
      .dump()
      .syncPoints.some(
        ({ key, stackId, arrived, fanIn }) =>
          key.traversalId === world.stack?.traversalId &&
          key.resourceId === stackId &&
          key.isUpdate &&
          arrived.length === fanIn,
      );
    expect(isGood, "the update is not good");
    await drain(world);
    verify(world, "UPDATE_COMPLETE");
  },
};

const unchangedButHeld: Case = {
  title:
    "S17, case 7: a row without differences keeps its template and its failure while another holds it or has fenced it (LP 1705794, 1722371)",
  run: async () => {
    const world = aWorld();
    await create(world, { a: v("1") });
    await drain(world);
    await update(world, { a: v("2") });
    await drain(world, { visits: 1 });
    const holder = await deliverNode(world, "aU");
    await runUntil(world, holder, "fakeProvider.update");
    await update(world, { a: v("1") });
    await drain(world);
    const held = theRow(world, "a");
    expect(held.templateId === "template-1" && held.updateDone !== null, "it has no template");
    expect(held.updateDone !== world.stack?.traversalId, "it counts as done");
    await refuseAt(world, holder, "update");
    await drain(world);
    verify(world, "UPDATE_COMPLETE");
    expect(
      theRow(world, "a").id !== held.id,
      "a FAILED row became COMPLETE by having no difference",
    );

    await update(world, { a: v("1") });
    await drain(world, { visits: 1 });
    const older = await deliverNode(world, "aU");
    await runUntil(world, older, "store.writeResource");
    await update(world, { a: v("3") });
    await finish(world, await deliverNode(world, "prepare"));
    const fenced = theRow(world, "a");
    await finish(world, older);
    expect(theRow(world, "a") === fenced, "a fenced visit wrote its template");
    await drain(world);
    verify(world, "UPDATE_COMPLETE");
  },
};

const movedInBetween: Case = {
  title:
    "P3.2, case 8: a row that a signal has moved between reading and claiming is read again, and nothing is lost (LP 1763021)",
  run: async () => {
    const world = aWorld();
    await create(world, waiting);
    await drain(world);
    world.clock.advance(60_000);
    const poll = await deliverNode(world, "wU");
    await runUntil(world, poll, "store.writeResource");
    await ask(world, world.signal(theRow(world, "w"), "COMPLETE"));
    await finish(world, poll);
    expect(theRow(world, "w").status === "COMPLETE", "the visit gave up");
    await drain(world);
    verify(world, "CREATE_COMPLETE");
  },
};

const replacedAndRolledBack: Case = {
  title:
    "P4, case 9: after a failed replacement the original serves again, by rollback or by update, and can be replaced anew (SB 2001974, 2003579)",
  run: async () => {
    for (const disableRollback of [false, true]) {
      const world = aWorld({ disableRollback });
      await create(world, { a: replaced("1"), b: v("1", { to: "a" }) });
      await drain(world);
      const original = theRow(world, "a");
      await update(world, { a: replaced("2"), b: v("1", { to: "a" }) });
      await drain(world, { visits: 2 });
      await refuseAt(world, await deliverNode(world, "?U"), "create");
      if (disableRollback) await update(world, { a: replaced("1"), b: v("1", { to: "a" }) });
      await drain(world);
      verify(world, disableRollback ? "UPDATE_COMPLETE" : "ROLLBACK_COMPLETE");
      const serving = theRow(world, "a");
      expect(
        serving.id === original.id && serving.replacedBy === null,
        "the original does not serve",
      );
      await update(world, { a: replaced("3"), b: v("1", { to: "a" }) });
      await drain(world);
      verify(world, "UPDATE_COMPLETE");
    }
  },
};

export const DIRECTED_HEAT: readonly Case[] = [
  overtakenWhileReplacing,
  overtakenAndFailing,
  replacementTooLate,
  newbornOfAnother,
  olderDelete,
  soleRoot,
  unchangedButHeld,
  movedInBetween,
  replacedAndRolledBack,
];
