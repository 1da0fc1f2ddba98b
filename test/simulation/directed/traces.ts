/**
 * The traces T1 to T52 of docs/rules/cases-and-traces.md up to the claim and the call, as far as no
 * other case plays them. Each is a sequence that ends badly without its rule.
 */
import { present } from "#lib/errors.ts";
import {
  act,
  aPreparedStack,
  aStack,
  ask,
  deliverNode,
  deliverUntil,
  drain,
  finish,
  LEASE_PASSED_MS,
  messageFor,
  nodeName,
  redeliver,
  refuse,
  runUntil,
  settle,
  signal,
  sweep,
  theRow,
  update,
  verify,
} from "../world/drive.ts";
import { answer, purge } from "../world/users.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import type { Case } from "./case.ts";
import { replaced, v, waiting } from "./specs.ts";

const lateClaim: Case = {
  title:
    "C1, P2, S9, T3, T36: a worker that waits before its claim while its stack is deleted creates nothing afterwards",
  run: async () => {
    const world = await aPreparedStack({ a: v("1") });
    const late = await deliverUntil(world, "aU", "store.writeResource");
    await act(world, "DELETE");
    await settle(world, "DELETE_COMPLETE");
    world.clock.advance(60_000);
    world.store.purgeExpired(world.clock.now());
    await finish(world, late);
    await settle(world, "DELETE_COMPLETE");
    expectEqual("provider calls", world.provider.calls().length, 0);
  },
};

const lateClaimAfterPurge: Case = {
  title:
    "P10, T36: a purge of the deleted stack leaves the tombstone, so a worker before its claim creates nothing",
  run: async () => {
    const world = await aPreparedStack({ a: v("1") });
    const late = await deliverUntil(world, "aU", "store.writeResource");
    await act(world, "DELETE");
    await settle(world, "DELETE_COMPLETE");
    const { rows, syncPoints } = world.store.dump();
    await ask(world, purge(world));
    world.store.purgeExpired(world.clock.now());
    expectEqual("stacks", world.store.dump().stacks.length, 0);
    expectEqual("rows", JSON.stringify(world.store.dump().rows), JSON.stringify(rows));
    expectEqual("SyncPoints", world.store.dump().syncPoints.length, syncPoints.length);
    await finish(world, late);
    await drain(world);
    expectEqual("provider calls", world.provider.calls().length, 0);
  },
};

const diesWhileRetiring: Case = {
  title: "P11: a worker dies anywhere while it retires a deleted stack, and the sweeper does it",
  run: async () => {
    for (let calls = 0; calls < RETIRING_CALLS; calls++) {
      const world = await aStack({ a: v("1") });
      await act(world, "DELETE");
      await settle(world, "DELETE_COMPLETE");
      const dying = await world.sweep();
      await runUntil(world, dying, "store.expireEvents");
      for (let done = 0; done < calls; done++) await world.step(dying);
      await world.crash(dying, calls % 2 === 0 ? "before" : "after");
      await sweep(world);
      const { stacks } = world.store.dump();
      expectEqual("unsettled", stacks.filter(({ settled }) => !settled).length, 0);
      expectThat(stacks[0]?.expiresAt != null, "the deleted stack does not expire");
      const templates = world.blobs.keys().filter((key) => key.startsWith("template/"));
      expectEqual("template records", templates.length, 0);
      expectEqual("names", (await world.store.listNamedStacks("demo")).length, 0);
    }
  },
};
/** The calls of a retirement: events, name, three lists, one template record, the stack's write. */
const RETIRING_CALLS = 7;

const ownOperation: Case = {
  title:
    "P3.0, L1, L3, T7: an operation whose worker died is ended by its own message, whatever happened to its traversal",
  run: async () => {
    for (const end of ["DELETE", "cancel"] as const) {
      const world = await aPreparedStack({ a: v("1") });
      const dying = await deliverUntil(world, "aU", "fakeProvider.create");
      await world.crash(dying, "before");
      await ask(world, end === "DELETE" ? world.act("DELETE") : world.cancel());
      if (end === "DELETE") await drain(world);
      await redeliver(world);
      if (end === "cancel") {
        expectEqual("operation of a", theRow(world, "a").operation, null);
        await act(world, "DELETE");
      }
      await redeliver(world);
      verify(world, "DELETE_COMPLETE");
    }
  },
};

const oneReplacement: Case = {
  title:
    "P3.1, S3, T8: a redelivered visit of a replaced row finds the replacement, before and after its creation",
  run: async () => {
    const world = await aStack({ a: replaced("1"), b: v("1", { to: "a" }) });
    await update(world, { a: replaced("2"), b: v("1", { to: "a" }) });
    await drain(world, { visits: 1 });
    const old = messageFor(world, "aU");
    for (let time = 0; time < 3; time++) {
      await finish(world, await world.deliver(old));
      expectEqual("rows", world.rows.length, 3);
      if (time === 1) await finish(world, await deliverNode(world, "?U"));
    }
    await settle(world, "UPDATE_COMPLETE");
    expectEqual("rows", world.rows.length, 3);
  },
};

const givenUpCheckSaysNothing: Case = {
  title: "P27: a check that was given up says nothing of its object, so that stays in service",
  run: async () => {
    const world = await aStack({ a: v("1") });
    await act(world, "CHECK");
    await drain(world, { visits: 1 });
    const [check] = world.deliverable();
    await finish(world, await world.deliver(present(check, "the check of a"), false, true));
    await drain(world);
    const before = theRow(world, "a");
    expectThat(`${before.action}_${before.status}` === "CHECK_FAILED", "a did not fail its check");
    await act(world, "ROLLBACK");
    await settle(world, "ROLLBACK_COMPLETE");
    expectEqual("the row of a", theRow(world, "a").id, before.id);
    expectEqual("objects at the provider", world.provider.objects().length, 1);
  },
};

const suspendDeletesNothing: Case = {
  title:
    "P3.1, S23, T10: SUSPEND after a failed update deletes nothing, and skips rows that its traversal did not choose",
  run: async () => {
    const world = await aStack({ a: replaced("1"), b: v("1") });
    const old = theRow(world, "a");
    await update(world, { a: replaced("2"), b: v("2") });
    await drain(world, { hold: (one) => /C$|bU/.test(nodeName(world, one)) });
    await refuse(world, "bU", "update");
    expectThat(world.stack?.status === "FAILED", "the update did not fail");
    const objects = world.provider.objects().length;
    await act(world, "SUSPEND");
    await settle(world, "SUSPEND_COMPLETE");
    expectThat(objects === 3 && world.provider.objects().length === 3, "SUSPEND deleted an object");
    const left = present(world.store.row(old.stackId, old.id), "the old row of a");
    expectEqual("action of the old row of a", left.action, "CREATE");
  },
};

const oneClaim: Case = {
  title: "C3, P3.2, S2, T11: of two workers at one visit, one claims and the other finds it done",
  run: async () => {
    const world = await aPreparedStack({ a: v("1") });
    const pending = present(world.deliverable()[0], "the visit of a");
    const one = await world.deliver(pending, true);
    await runUntil(world, one, "store.writeResource");
    const other = await world.deliver(pending);
    await runUntil(world, other, "store.writeResource");
    await finish(world, one);
    await finish(world, other);
    await settle(world, "CREATE_COMPLETE");
    expectEqual("generation of a", theRow(world, "a").generation, 1);
    expectEqual("provider calls", world.provider.calls().length, 1);
  },
};

const recordedFirst: Case = {
  title:
    "P3.2, S16, T12: an update that overtakes a delete does not take the row for unchanged, because the delete was recorded first",
  run: async () => {
    const world = await aStack({ a: v("1"), b: v("1") });
    await update(world, { b: v("1") });
    await drain(world, { hold: "aC" });
    const dying = await deliverUntil(world, "aC", "fakeProvider.delete");
    const held = world.rows.filter(({ lease }) => lease !== null);
    expectThat(
      held.length === 1 && held[0]?.operation?.action === "DELETE",
      "the row does not record the delete",
    );
    await world.crash(dying, "after");
    await update(world, { a: v("1"), b: v("1") });
    await drain(world);
    world.clock.advance(LEASE_PASSED_MS);
    await drain(world);
    await redeliver(world);
    verify(world, "UPDATE_COMPLETE");
  },
};

const VISITS = 10;

const oneMessageWaits: Case = {
  title:
    "P3.3, S21, L6, T15: ten visits of a busy row leave one message, and the holder's end wakes it at once",
  run: async () => {
    const world = await aPreparedStack({ a: v("1") });
    const holder = await deliverUntil(world, "aU", "fakeProvider.create");
    await update(world, { a: v("2") });
    await drain(world, { visits: 1 });
    const blocked = present(world.deliverable()[0], "the visit of a");
    world.drop(blocked);
    for (let visit = 0; visit < VISITS; visit++) await finish(world, await world.deliver(blocked));
    expectEqual("messages in the queue", world.queue.pending.length, 1);
    await finish(world, holder);
    await settle(world, "UPDATE_COMPLETE");
  },
};

const lostAnswer: Case = {
  title:
    "P3.4, S1, T18: a call whose answer was lost is repeated with its token before the operation ends, so no object is left",
  run: async () => {
    const world = await aPreparedStack({ ...waiting, a: v("1") });
    const dying = await deliverUntil(world, "wU", "fakeProvider.create");
    await world.crash(dying, "after");
    await update(world, { a: v("1") });
    world.clock.advance(LEASE_PASSED_MS);
    await drain(world);
    await redeliver(world);
    const row = present(
      world.rows.find(({ name }) => name === "w"),
      "the row of w",
    );
    await ask(world, world.signal(row, "COMPLETE"));
    await settle(world, "UPDATE_COMPLETE");
    expectEqual("objects at the provider", world.provider.objects().length, 1);
  },
};

const unknownOutcome: Case = {
  title:
    "P14, T43: a provider that ignores tokens is not called twice; the reason says that the outcome is unknown",
  run: async () => {
    const world = await aPreparedStack({ a: { type: "Sim::Tokenless", properties: { v: "1" } } });
    const dying = await deliverUntil(world, "aU", "fakeProvider.create");
    await world.crash(dying, "after");
    await redeliver(world);
    expectEqual("status of the stack", world.stack?.status, "FAILED");
    const reason = world.stack?.statusReason ?? "";
    expectThat(reason.includes("outcome unknown"), reason);
    expectEqual("objects at the provider", world.provider.objects().length, 1);
  },
};

const unansweredUpdate: Case = {
  title:
    "P18, T47: an update of a row whose creation may have made an object makes no other, and asks again",
  run: async () => {
    const world = await aPreparedStack({ a: { type: "Sim::Tokenless", properties: { v: "1" } } });
    const dying = await deliverUntil(world, "aU", "fakeProvider.create");
    await world.crash(dying, "after");
    await redeliver(world);
    await update(world, { a: { type: "Sim::Tokenless", properties: { v: "2" } } });
    await settle(world, "UPDATE_FAILED");
    expectEqual("objects at the provider", world.provider.objects().length, 1);
    expectEqual("open questions", world.rows.filter((row) => row.outcomeUnknown).length, 1);
  },
};

const unansweredRollback: Case = {
  title:
    "P18, T48: neither a rollback nor a delete removes a row whose creation may have made an object",
  run: async () => {
    const world = await aPreparedStack(
      { a: { type: "Sim::Tokenless", properties: { v: "1" } } },
      { disableRollback: false },
    );
    const dying = await deliverUntil(world, "aU", "fakeProvider.create");
    await world.crash(dying, "after");
    await redeliver(world);
    await settle(world, "ROLLBACK_FAILED");
    await act(world, "DELETE");
    await settle(world, "DELETE_FAILED");
    expectEqual("open questions", world.rows.filter((row) => row.outcomeUnknown).length, 1);
  },
};

const importedAndRetained: Case = {
  title: "P18, T52: an imported object has the deletion policy of the template that made it",
  run: async () => {
    const a = { type: "Sim::Tokenless", properties: { v: "1" }, retained: true };
    const world = await aPreparedStack({ a });
    const dying = await deliverUntil(world, "aU", "fakeProvider.create");
    await world.crash(dying, "after");
    await redeliver(world);
    const made = present(world.provider.objects()[0], "the object").physicalId;
    await ask(world, answer(world, "a", { answer: "import", physicalResourceId: made }));
    await act(world, "DELETE");
    await drain(world);
    expectEqual("status of the stack", world.stack?.status, "COMPLETE");
    expectEqual("objects at the provider", world.provider.objects().length, 1);
  },
};

const givenUpWithQuestion: Case = {
  title: "P12, P18: a dead letter leaves the reason of a row that waits for its user's answer",
  run: async () => {
    const a = { type: "Sim::Tokenless", properties: { v: "1" } };
    const world = await aPreparedStack({ a });
    const dying = await deliverUntil(world, "aU", "fakeProvider.create");
    await world.crash(dying, "after");
    await redeliver(world);
    await update(world, { a });
    await drain(world, { visits: 1 });
    await finish(world, await world.deliver(messageFor(world, "aU"), false, true));
    await settle(world, "UPDATE_FAILED");
    const reason = theRow(world, "a").statusReason;
    expectThat(reason.includes("outcome unknown"), reason);
  },
};

const untypedClaim: Case = {
  title:
    "P12, P18, T85: a dead letter that dies with its claim leaves no question, since it called nobody",
  run: async () => {
    const world = await aPreparedStack({ a: { properties: { v: "1" } } });
    const dying = await world.deliver(messageFor(world, "aU"), false, true);
    await runUntil(world, dying, "store.writeResource");
    await world.crash(dying, "after");
    expectEqual("type of the claim", theRow(world, "a").operation?.type, "");
    world.clock.advance(LEASE_PASSED_MS);
    await update(world, { a: { properties: { v: "2" } } });
    await settle(world, "UPDATE_COMPLETE");
  },
};

const searchedObject: Case = {
  title:
    "P14: a search finds the object of a lost call, where the provider forgot its token or never kept one",
  run: async () => {
    for (const type of ["Sim::Forgetful", "Sim::Searchable"]) {
      const world = await aPreparedStack({ a: { type, properties: { v: "1" } } });
      const dying = await deliverUntil(world, "aU", "fakeProvider.create");
      await world.crash(dying, "after");
      await redeliver(world);
      expectEqual("objects at the provider", world.provider.objects().length, 1);
      expectEqual("status of the stack", world.stack?.status, "COMPLETE");
    }
  },
};

const countedResult: Case = {
  title: "P3.4, P12: a result that is counted while the deadline ends its operation is used",
  run: async () => {
    const world = await aStack({ w: { type: "Sim::Impatient", properties: { v: "1" } } });
    world.clock.advance(LEASE_PASSED_MS);
    const poll = await deliverUntil(world, "wU", "blobs.get");
    await runUntil(world, poll, "store.writeResource");
    await signal(world, "w");
    await finish(world, poll);
    await settle(world, "CREATE_COMPLETE");
  },
};

export const DIRECTED_TRACES: readonly Case[] = [
  lateClaim,
  lateClaimAfterPurge,
  diesWhileRetiring,
  ownOperation,
  oneReplacement,
  givenUpCheckSaysNothing,
  suspendDeletesNothing,
  oneClaim,
  recordedFirst,
  oneMessageWaits,
  lostAnswer,
  unknownOutcome,
  unansweredUpdate,
  unansweredRollback,
  importedAndRetained,
  givenUpWithQuestion,
  untypedClaim,
  searchedObject,
  countedResult,
];
