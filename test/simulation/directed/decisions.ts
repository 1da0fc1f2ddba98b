/**
 * The decisions D1 to D12 of docs/rules/cases-and-traces.md, as far as no other case shows them.
 */
import type { PendingMessage } from "#lib/adapters/memory/queue.ts";
import { TOMBSTONE_MS } from "#lib/convergence/limits.ts";
import { present } from "#lib/errors.ts";
import {
  act,
  aStack,
  ask,
  aWorld,
  create,
  deliverNode,
  drain,
  finish,
  nodeName,
  refuse,
  settle,
  signal,
  sweep,
  theRow,
  update,
  verify,
} from "../world/drive.ts";
import type { ResourceSpec, Spec } from "../world/spec.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { replaced, v } from "./specs.ts";

const chain: Spec = { a: v("1"), b: v("1", { to: "a" }), c: v("1", { to: "b" }) };

const everythingTwice = async (late: boolean): Promise<void> => {
  const world = aWorld();
  await create(world, chain);
  const again = [];
  for (;;) {
    const [pending] = world.deliverable();
    if (pending === undefined) break;
    await finish(world, await world.deliver(pending));
    if (late) again.push(pending);
    else await finish(world, await world.deliver(pending));
  }
  for (const pending of again) await finish(world, await world.deliver(pending));
  await settle(world, "CREATE_COMPLETE");
  expectEqual("provider calls", world.provider.calls().length, 3);
  expectThat(
    world.rows.every(({ generation }) => generation === 1),
    "an operation began twice",
  );
};

const deliveredTwice: Case = {
  title: "D2: each message is delivered twice, at once or at the end, and nothing is done twice",
  run: async () => {
    await everythingTwice(false);
    await everythingTwice(true);
  },
};

const completeAfterCleanup: Case = {
  title:
    "D3, P8, S10, T30: the stack is COMPLETE only after its cleanup, and until then a rollback goes to the former template",
  run: async () => {
    const world = await aStack({ a: v("1"), b: v("1") });
    await update(world, { a: v("2") });
    await drain(world, { hold: "bC" });
    expectEqual("template of a", theRow(world, "a").templateId, "template-2");
    expectEqual("status of the stack", world.stack?.status, "IN_PROGRESS");
    expectEqual("last_good", world.stack?.lastGood, "template-1");
    await act(world, "ROLLBACK");
    await settle(world, "ROLLBACK_COMPLETE");
    expectEqual("target", world.stack?.templateId, "template-1");
  },
};

const dueNodes = (world: World): readonly string[] =>
  world
    .deliverable()
    .filter(({ message }) => message.traversalId === world.stack?.traversalId)
    .map((pending) => nodeName(world, pending));

const oldWaitsForNew: Case = {
  title:
    "D4, S5: the row that is not chosen waits for the chosen one; a row that was never created goes at once",
  run: async () => {
    const world = await aStack({ a: replaced("1") });
    await update(world, { a: replaced("2") });
    await drain(world, { hold: "aC" });
    const both = { a: { properties: { "v!": "2", w: "1" } } };
    await update(world, both);
    await finish(world, await deliverNode(world, "prepare"));
    expectEqual("due nodes", dueNodes(world).join(), "aU");
    await settle(world, "UPDATE_COMPLETE");

    await update(world, { a: { properties: { "v!": "3", w: "1" } } });
    await drain(world, { visits: 2 });
    expectThat(
      world.rows.some(({ action }) => action === "INIT"),
      "there is no new row",
    );
    await act(world, "ROLLBACK");
    await finish(world, await deliverNode(world, "prepare"));
    expectEqual("due nodes", dueNodes(world).join(), "aC,aU");
    await settle(world, "ROLLBACK_COMPLETE");
  },
};

const runningOperationsEnd: Case = {
  title:
    "D5, S24: operations that run when their traversal fails or is cancelled end, and nothing follows from them",
  run: async () => {
    for (const end of ["failure", "cancel"] as const) {
      const world = aWorld();
      const slow = { type: "Sim::Slow", properties: { v: "1" } };
      await create(world, { s: slow, b: v("1"), c: v("1", { to: "s" }) });
      await drain(world, { hold: "bU" });
      if (end === "failure") await refuse(world, "bU", "create");
      else await ask(world, world.cancel());
      expectEqual("status of the stack", world.stack?.status, "FAILED");
      world.clock.advance(10_000);
      await drain(world);
      expectEqual("status of s", theRow(world, "s").status, "COMPLETE");
      const names = world.provider.objects().map(({ logicalName }) => logicalName);
      expectEqual("names", names.join(), "s");
      verify(world, "CREATE_FAILED");
    }
  },
};

const numbersOfRows: Case = {
  title:
    "D7: each accepted operation gets the next number, and every row that it reaches has this number",
  run: async () => {
    const world = await aStack({ a: v("1"), b: v("1") });
    await update(world, { a: v("2"), b: v("1") });
    await drain(world);
    await act(world, "CHECK");
    await drain(world);
    expectEqual("traversal number", world.stack?.traversalNumber, 3);
    await update(world, { a: v("3"), b: v("1") });
    await update(world, { a: v("4"), b: v("1") });
    await finish(world, await deliverNode(world, "prepare"));
    await finish(world, await deliverNode(world, "prepare"));
    const numbers = world.rows.map(({ number }) => number);
    expectEqual("numbers of the rows", numbers.join(), "5,5");
    await settle(world, "UPDATE_COMPLETE");
  },
};

const refusals: Case = {
  title:
    "P1, D8, S24: other actions than updates are refused until rest; a delete never is, and no update overtakes it",
  run: async () => {
    const world = aWorld();
    await create(world, { a: v("1") });
    for (const action of ["CHECK", "SUSPEND", "RESUME", "SNAPSHOT"] as const) {
      await act(world, action);
      expectEqual("traversal number", world.stack?.traversalNumber, 1);
    }
    await act(world, "DELETE");
    expectThat(world.stack?.traversalNumber === 2, "the delete was refused");
    await update(world, { a: v("2") });
    expectThat(world.stack?.traversalNumber === 2, "an update overtook the delete");
    await settle(world, "DELETE_COMPLETE");
    await update(world, { a: v("2") });
    expectThat(world.stack?.traversalNumber === 2, "an update was accepted after the delete");
  },
};

const failedRows: Case = {
  title: "D9: a failed row is replaced, or repaired if its type can be repaired",
  run: async () => {
    const world = aWorld();
    const spec: Spec = { a: v("1"), w: { type: "Sim::Waiting", properties: { v: "1" } } };
    await create(world, spec);
    await drain(world, { hold: "aU" });
    await refuse(world, "aU", "create");
    await signal(world, "w", "FAILED");
    await settle(world, "CREATE_FAILED");
    const before = { a: theRow(world, "a"), w: theRow(world, "w") };
    await update(world, spec);
    await drain(world);
    await signal(world, "w");
    await settle(world, "UPDATE_COMPLETE");
    expectThat(theRow(world, "a").replaces === before.a.id, "a was not replaced");
    expectThat(theRow(world, "w").id === before.w.id, "w was not repaired in place");
  },
};

const mended = (value: string, more: Record<string, string> = {}): ResourceSpec => ({
  type: "Sim::Mended",
  properties: { v: value, ...more },
});

const failedChanges: Case = {
  title:
    "D9, P3.1, T86, T87: after a failed change in place, a row that can be repaired keeps its object",
  run: async () => {
    for (const next of ["1", "2", "3"]) {
      const world = aWorld();
      await create(world, { a: mended("1") });
      await settle(world, "CREATE_COMPLETE");
      const { id, physicalResourceId } = theRow(world, "a");
      await update(world, { a: mended("2", { breaks: "yes" }) });
      await settle(world, "UPDATE_FAILED");
      await update(world, { a: mended(next) });
      await settle(world, "UPDATE_COMPLETE");
      expectEqual("the row", theRow(world, "a").id, id);
      expectEqual("its object", theRow(world, "a").physicalResourceId, physicalResourceId);
    }
  },
};

const failedCreation: Case = {
  title:
    "D9: what failed in its creation or its check is replaced, though a change could be repaired",
  run: async () => {
    const world = aWorld();
    await create(world, { a: mended("1", { breaks: "yes" }) });
    await settle(world, "CREATE_FAILED");
    const { id } = theRow(world, "a");
    await update(world, { a: mended("1") });
    await settle(world, "UPDATE_COMPLETE");
    expectEqual("what it replaces", theRow(world, "a").replaces, id);
  },
};

const anyOrder: Case = {
  title: "D10: messages lead to the same end newest first and oldest first",
  run: async () => {
    for (const inline of [false, true]) {
      const world = aWorld({ inline });
      const newestFirst = async (): Promise<void> => {
        for (;;) {
          const pending = world.deliverable().at(-1);
          if (pending === undefined) return;
          await finish(world, await world.deliver(pending));
        }
      };
      await create(world, { ...chain, d: replaced("1", { to: "a" }), e: v("1", { to: "d" }) });
      await newestFirst();
      verify(world, "CREATE_COMPLETE");
      await update(world, { c: v("2"), b: v("2", { to: "c" }), d: replaced("2"), e: v("2") });
      await newestFirst();
      verify(world, "UPDATE_COMPLETE");
      await act(world, "DELETE");
      await newestFirst();
      verify(world, "DELETE_COMPLETE");
    }
  },
};

const tombstones: Case = {
  title:
    "D11, P10, L9, L10: a deleted row stays a tombstone that is never revived, expires weeks later, and nothing follows",
  run: async () => {
    const world = await aStack({ a: v("1"), b: v("1") });
    await update(world, { b: v("1") });
    await drain(world, { visits: 1 });
    const isCleanup = (name: string) => (one: PendingMessage) => nodeName(world, one) === name;
    const late = present(world.deliverable().find(isCleanup("aC")), "the cleanup of a");
    await drain(world, { hold: isCleanup("bC") });
    const tombstone = present(
      world.rows.find(({ name }) => name === "a"),
      "the row of a",
    );
    expectThat(`${tombstone.action}_${tombstone.status}` === "DELETE_COMPLETE", "a is not deleted");
    await finish(world, await world.deliver(late));
    expectThat(world.rows.includes(tombstone), "a late message changed the tombstone");
    await settle(world, "UPDATE_COMPLETE");
    await act(world, "DELETE");
    await settle(world, "DELETE_COMPLETE");
    expectEqual("rows", world.rows.length, 2);
    world.clock.advance(TOMBSTONE_MS + 1);
    world.store.purgeExpired(world.clock.now());
    await sweep(world);
    const { rows, syncPoints } = world.store.dump();
    expectThat(rows.length === 0 && syncPoints.length === 0, "a record outlived its expiry");
    expectEqual("messages in the queue", world.queue.pending.length, 0);
  },
};

export const DIRECTED_DECISIONS: readonly Case[] = [
  deliveredTwice,
  completeAfterCleanup,
  oldWaitsForNew,
  runningOperationsEnd,
  numbersOfRows,
  refusals,
  failedRows,
  failedChanges,
  failedCreation,
  anyOrder,
  tombstones,
];
