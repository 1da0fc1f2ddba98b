/**
 * Cases 1 to 9 of docs/rules/cases-and-traces.md: each broke Heat once. LP and SB are its bug
 * numbers.
 */
import { present } from "#lib/errors.ts";
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
  fullUpdate,
  REDELIVERED_MS,
  redeliver,
  refuseAt,
  runUntil,
  settle,
  signal,
  theRow,
  update,
  verify,
} from "../world/drive.ts";
import type { Spec } from "../world/spec.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import type { Worker } from "../world/workers.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { replaced, v, waiting } from "./specs.ts";

const refusing = (value: string): Spec => ({
  a: { type: "Sim::Refusing", properties: { v: value } },
  b: v("1", { to: "a" }),
});

const overtakenWhileReplacing: Case = {
  title:
    "P9, case 1: a visit that is overtaken while it must replace leaves the replacement to the newer traversal (LP 1625073)",
  run: async () => {
    const world = await aStack(refusing("1"));
    await update(world, refusing("2"));
    await drain(world, { visits: 1 });
    const older = await deliverUntil(world, "aU", "store.writeResource");
    await world.step(older);
    await runUntil(world, older, "store.writeResource");
    await update(world, refusing("3"));
    await drain(world);
    expectThat(world.stack?.status === "IN_PROGRESS", "the newer visit is not blocked");
    await finish(world, older);
    await settle(world, "UPDATE_COMPLETE");
    expectEqual("rows", world.rows.length, 3);
  },
};

/** The ways in which an overtaken visit of a ends, after the newer traversal found the row busy. */
const overtakenEnds = {
  failure: (world: World, worker: Worker) => refuseAt(world, worker, "update"),
  death: async (world: World, worker: Worker) => {
    await world.crash(worker, "after");
    world.clock.advance(REDELIVERED_MS);
  },
} as const;

const overtakenAndFailing: Case = {
  title:
    "P4, case 2: an overtaken visit fails, dies, times out or is cancelled, and the newer traversal ends (LP 1721654, 1727007)",
  run: async () => {
    for (const end of ["failure", "death"] as const) {
      const world = await aStack({ a: v("1") });
      await update(world, { a: v("2") });
      await drain(world, { visits: 1 });
      const older = await deliverUntil(world, "aU", "fakeProvider.update");
      await update(world, { a: v("3") });
      await drain(world);
      await overtakenEnds[end](world, older);
      await settle(world, "UPDATE_COMPLETE");
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
  const poll = await deliverUntil(world, "wU", "store.writeResource");
  await world.step(poll);
  await runUntil(world, poll, "store.writeResource");
  await update(world, impatient("2"));
  await drain(world);
  await finish(world, poll);
  const reason = theRow(world, "w").statusReason;
  expectThat(reason.endsWith("timed out"), reason);
  await drain(world);
  await signal(world, "w");
  await settle(world, "UPDATE_COMPLETE");
};

const isCancelled = async (): Promise<void> => {
  const world = await aPreparedStack({ a: v("1"), b: v("1", { to: "a" }) });
  const older = await deliverUntil(world, "aU", "fakeProvider.create");
  await ask(world, world.cancel());
  await update(world, { a: v("2"), b: v("2", { to: "a" }) });
  await drain(world);
  await finish(world, older);
  await settle(world, "UPDATE_COMPLETE");
};

const replacementTooLate: Case = {
  title:
    "P3.0, case 3: a replacement's visit after the rollback creates nothing, and a repeated one leaves no object",
  run: async () => {
    for (const isCreated of [false, true]) {
      const world = await aStack({ a: replaced("1") });
      await update(world, { a: replaced("2") });
      await drain(world, { visits: 2 });
      const late = present(world.deliverable().at(-1), "the visit of the replacement");
      if (isCreated) await finish(world, await world.deliver(late, true));
      world.drop(late);
      await act(world, "ROLLBACK");
      await drain(world, { visits: 1 });
      await finish(world, await world.deliver(late));
      await drain(world);
      await finish(world, await world.deliver(late));
      await settle(world, "ROLLBACK_COMPLETE");
      expectEqual("objects at the provider", world.provider.objects().length, 1);
    }
  },
};

const newRowOfAnother: Case = {
  title:
    "P3.1, case 4: a new row of an interrupted traversal is created with the newer definition (LP 1663745)",
  run: async () => {
    const world = await aStack({ a: replaced("1"), b: v("1", { to: "a" }) });
    await update(world, { a: replaced("2"), b: v("1", { to: "a" }) });
    await drain(world, { visits: 2 });
    const newRow = present(
      world.rows.find(({ action }) => action === "INIT"),
      "the new row",
    );
    await update(world, { a: replaced("3"), b: v("1", { to: "a" }) });
    await settle(world, "UPDATE_COMPLETE");
    expectThat(theRow(world, "a").id === newRow.id, "another row was inserted");
  },
};

const olderDelete: Case = {
  title:
    "P2, S4, case 5: an older cleanup does not delete a row that the newer traversal chose, or the row is made again (LP 1528560)",
  run: async () => {
    for (const call of ["store.writeResource", "fakeProvider.delete"] as const) {
      const world = await aStack({ a: v("1"), b: v("1") });
      const before = theRow(world, "a");
      await update(world, { b: v("1") });
      await drain(world, { hold: "aC" });
      const older = await deliverUntil(world, "aC", call);
      await update(world, { a: v("1"), b: v("1") });
      await finish(world, await deliverNode(world, "prepare"));
      await finish(world, older);
      await drain(world);
      await redeliver(world);
      verify(world, "UPDATE_COMPLETE");
      const isKept = theRow(world, "a").id === before.id;
      expectThat(isKept === (call === "store.writeResource"), `a is ${isKept ? "" : "not "}kept`);
    }
  },
};

const soleRoot: Case = {
  title:
    "P5, case 6: a replacement that is the only root fills the stack's point in the name of the graph's row (LP 1614960)",
  run: async () => {
    const world = await aStack({ a: replaced("1") });
    await update(world, { a: replaced("2") });
    await drain(world, { hold: "aC" });
    const isGood = world.store
      .dump()
      .syncPoints.some(
        ({ key, stackId, arrived, fanIn }) =>
          key.traversalId === world.stack?.traversalId &&
          key.resourceId === stackId &&
          key.isUpdate &&
          arrived.length === fanIn,
      );
    expectThat(isGood, "the update part is not done");
    await settle(world, "UPDATE_COMPLETE");
  },
};

const unchangedButHeld: Case = {
  title:
    "S17, case 7: a row without differences keeps its template and its failure while another visit holds it or has fenced it (LP 1705794, 1722371)",
  run: async () => {
    const world = await aStack({ a: v("1") });
    await update(world, { a: v("2") });
    await drain(world, { visits: 1 });
    const holder = await deliverUntil(world, "aU", "fakeProvider.update");
    await update(world, { a: v("1") });
    await drain(world);
    const held = theRow(world, "a");
    expectThat(
      held.templateId === "template-1" && held.updateDone !== null,
      "a has lost its template or its mark",
    );
    expectThat(
      held.updateDone !== world.stack?.traversalId,
      "a counts as done in the new traversal",
    );
    await refuseAt(world, holder, "update");
    await settle(world, "UPDATE_COMPLETE");
    expectThat(
      theRow(world, "a").id !== held.id,
      "a FAILED row became COMPLETE without an operation",
    );

    await fullUpdate(world, { a: v("1") });
    await drain(world, { visits: 1 });
    const older = await deliverUntil(world, "aU", "store.writeResource");
    await update(world, { a: v("3") });
    await finish(world, await deliverNode(world, "prepare"));
    const fenced = theRow(world, "a");
    await finish(world, older);
    expectThat(theRow(world, "a") === fenced, "a fenced visit wrote its template");
    await settle(world, "UPDATE_COMPLETE");
  },
};

const movedInBetween: Case = {
  title:
    "P3.2, case 8: a row that a signal changed between read and claim is read again, and nothing is lost (LP 1763021)",
  run: async () => {
    const world = await aStack(waiting);
    world.clock.advance(60_000);
    const poll = await deliverUntil(world, "wU", "store.writeResource");
    await signal(world, "w");
    await finish(world, poll);
    expectEqual("status of w", theRow(world, "w").status, "COMPLETE");
    await settle(world, "CREATE_COMPLETE");
  },
};

const replacedAndRolledBack: Case = {
  title:
    "P4, case 9: after a failed replacement the original serves again, by rollback or update, and can be replaced again (SB 2001974, 2003579)",
  run: async () => {
    for (const disableRollback of [false, true]) {
      const world = await aStack({ a: replaced("1"), b: v("1", { to: "a" }) }, { disableRollback });
      const original = theRow(world, "a");
      await update(world, { a: replaced("2"), b: v("1", { to: "a" }) });
      await drain(world, { visits: 2 });
      await refuseAt(world, await deliverNode(world, "?U"), "create");
      if (disableRollback) await update(world, { a: replaced("1"), b: v("1", { to: "a" }) });
      await settle(world, disableRollback ? "UPDATE_COMPLETE" : "ROLLBACK_COMPLETE");
      const serving = theRow(world, "a");
      expectThat(
        serving.id === original.id && serving.replacedBy === null,
        "the original does not serve",
      );
      await update(world, { a: replaced("3"), b: v("1", { to: "a" }) });
      await settle(world, "UPDATE_COMPLETE");
    }
  },
};

export const DIRECTED_HEAT: readonly Case[] = [
  overtakenWhileReplacing,
  overtakenAndFailing,
  replacementTooLate,
  newRowOfAnother,
  olderDelete,
  soleRoot,
  unchangedButHeld,
  movedInBetween,
  replacedAndRolledBack,
];
