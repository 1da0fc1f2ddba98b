import { handleDeadLetter } from "#lib/convergence/sweep/dead-letter.ts";
import { present } from "#lib/errors.ts";
import type { Stack } from "#lib/model/stack.ts";
import {
  act,
  aPreparedStack,
  aStack,
  ask,
  aWorld,
  create,
  deliverUntil,
  drain,
  finish,
  LEASE_PASSED_MS,
  nodeName,
  refuse,
  runUntil,
  settle,
  sweep,
  theRow,
  update,
  verify,
} from "../world/drive.ts";
import type { Spec } from "../world/spec.ts";
import { purge } from "../world/users.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { v, waiting } from "./specs.ts";

const POLLED_MS = 10_000;

const nests = (child: Spec, more: Spec = {}): Spec => ({ n: { child }, ...more });
const below = (world: World): Stack =>
  present(world.nestedCheckers.nested.at(-1), "a nested stack");
const stateOf = ({ action, status }: Pick<Stack, "action" | "status">): string =>
  `${action}_${status}`;

const expectBelow = (world: World, state: string): void => {
  const found = below(world);
  expectThat(
    stateOf(found) === state,
    `the nested stack is ${stateOf(found)}: ${found.statusReason}`,
  );
};

const poll = async (world: World): Promise<void> => {
  world.clock.advance(POLLED_MS);
  await drain(world);
};

const valueBelow = (world: World): unknown =>
  world.provider.objects().find((one) => one.logicalName === "x")?.properties["v"];

const signalBelow = async (world: World, name = "w"): Promise<void> => {
  const rows = world.store.rowsOf(below(world).id);
  const row = present(
    rows.find((one) => one.name === name),
    `row ${name} below`,
  );
  await ask(world, world.signal(row, "COMPLETE"));
  await drain(world);
};

const theFence: Case = {
  title:
    "P13, S22, T41: an older operation that reaches the nested stack after the newer one is refused",
  run: async () => {
    const world = await aStack(nests({ x: v("1") }));
    await update(world, nests({ x: v("2") }));
    await drain(world, { visits: 1 });
    const old = await deliverUntil(world, "nU", "store.writeStack");
    world.clock.advance(LEASE_PASSED_MS);
    await update(world, nests({ x: v("3") }));
    await settle(world, "UPDATE_COMPLETE");
    await finish(world, old);
    await settle(world, "UPDATE_COMPLETE");
    expectEqual("value of x", valueBelow(world), "3");
  },
};

const theTombstone: Case = {
  title:
    "P10, P13: a create that continues after the delete of its resource creates no nested stack, not even after a purge",
  run: async () => {
    for (const purges of [false, true]) await createAfterDelete(purges);
  },
};

const createAfterDelete = async (purges: boolean): Promise<void> => {
  const world = await aPreparedStack(nests({ x: v("1") }));
  const message = present(
    world.deliverable().find((one) => nodeName(world, one) === "nU"),
    "the visit of n",
  ).message;
  const old = await deliverUntil(world, "nU", "store.createStack");
  world.clock.advance(LEASE_PASSED_MS);
  // The handler of the dead letter fails at its last attempt to reach the provider.
  const letter = await world.user("dead letter", () => handleDeadLetter(world.ports, message));
  await runUntil(world, letter, "store.createStack");
  await world.fail(letter, new Error("no connection"));
  await finish(world, letter);
  await drain(world, { visits: 1 });
  expectThat(world.stack?.status === "FAILED", "the dead letter did not fail the stack");
  await act(world, "DELETE");
  await settle(world, "DELETE_COMPLETE");
  if (purges) {
    await ask(world, purge(world));
    world.store.purgeExpired(world.clock.now());
    expectEqual("stacks", world.store.dump().stacks.length, 1);
  }
  await finish(world, old);
  await drain(world);
  if (!purges) verify(world, "DELETE_COMPLETE");
  expectEqual("objects at the provider", world.provider.objects().length, 0);
};

const foreignUpdate: Case = {
  title: "P13, S22, T42: the COMPLETE of a foreign traversal does not count as the awaited one",
  run: async () => {
    const world = await aStack(nests({ x: v("1") }));
    await update(world, nests({ x: v("2") }));
    await drain(world, { hold: "xU" });
    await ask(world, world.act("UPDATE", { x: v("9") }, below(world).id));
    await drain(world);
    expectBelow(world, "UPDATE_COMPLETE");
    expectThat(world.stack?.status === "FAILED", "the foreign COMPLETE counted");
    expectThat(
      world.stack?.statusReason.includes("changed behind its parent") ?? false,
      "no reason",
    );
    const row = theRow(world, "n");
    await update(world, nests({ x: v("3") }));
    await settle(world, "UPDATE_COMPLETE");
    expectThat(theRow(world, "n").id === row.id, "n was not repaired in place");
  },
};

const foreignDelete: Case = {
  title: "P13, case 16: the next update creates a nested stack again that a user deleted directly",
  run: async () => {
    const world = aWorld();
    const spec = nests({ x: v("1") }, { b: v("1", { to: "n" }) });
    await create(world, spec);
    await drain(world);
    const first = below(world);
    await ask(world, world.act("DELETE", undefined, first.id));
    await drain(world);
    await update(world, spec);
    await settle(world, "UPDATE_COMPLETE");
    expectThat(
      below(world).id !== first.id && world.nestedCheckers.nested.length === 2,
      "the nested stack was not created again",
    );
    await act(world, "DELETE");
    await settle(world, "DELETE_COMPLETE");
  },
};

const cancelled: Case = {
  title:
    "P13: a cancel of the parent stops its nested stack, and the next update continues from there",
  run: async () => {
    const world = await aStack(nests(waiting));
    await ask(world, world.cancel());
    await poll(world);
    expectBelow(world, "CREATE_FAILED");
    expectThat(below(world).statusReason.includes("cancelled"), below(world).statusReason);
    world.clock.advance(60_000);
    await settle(world, "CREATE_FAILED");
    await update(world, nests({ w: { type: "Sim::Waiting", properties: { v: "2" } } }));
    await drain(world);
    await signalBelow(world);
    verify(world, "UPDATE_COMPLETE");
  },
};

const overtakenTwice: Case = {
  title:
    "P13, case 16: a parent is updated twice while its nested stack is busy; only the last update counts",
  run: async () => {
    const world = await aStack(nests(waiting));
    const { id } = below(world);
    for (const value of ["2", "3"]) {
      await update(world, nests({ w: { type: "Sim::Waiting", properties: { v: value } } }));
      await drain(world);
    }
    await signalBelow(world);
    verify(world, "UPDATE_COMPLETE");
    expectThat(
      below(world).id === id && theRow(world, "n").generation === 3,
      "n was not updated in place",
    );
    const [object] = world.provider.objects();
    expectThat(object?.properties["v"] === "3", "an older target serves");
  },
};

const rolledBack: Case = {
  title:
    "P13: a failure in the nested stack fails the parent, whose rollback rolls the nested stack back too",
  run: async () => {
    const world = await aStack(nests({ x: v("1") }), { disableRollback: false });
    await update(world, nests({ x: v("2"), y: v("2", { to: "x" }) }));
    await drain(world, { hold: "yU" });
    await refuse(world, "yU", "create");
    await settle(world, "ROLLBACK_COMPLETE");
    expectBelow(world, "UPDATE_COMPLETE");
    expectThat(
      valueBelow(world) === "1" && world.provider.objects().length === 1,
      "the nested stack was not rolled back",
    );
  },
};

const timedOut: Case = {
  title:
    "P13, L4, case 16: the parent times out while the nested stack waits: both end, and both can be deleted",
  run: async () => {
    const world = await aStack(nests(waiting), { timeoutMins: 10 });
    for (let minute = 0; minute < 12; minute++) {
      world.clock.advance(60_000);
      await sweep(world);
      await drain(world);
    }
    verify(world, "CREATE_FAILED");
    expectThat(below(world).status === "FAILED", "the nested stack is still in progress");
    await act(world, "DELETE");
    await drain(world);
    await signalBelow(world);
    verify(world, "DELETE_COMPLETE");
  },
};

const deadAgent: Case = {
  title:
    "P13: a nested delete that waits for a dead agent is awaited, whatever overtakes it, and ends at its deadline",
  run: async () => {
    const world = await aStack(nests(waiting, { a: v("1") }), { timeoutMins: 10 });
    await signalBelow(world);
    await update(world, { a: v("2") });
    await drain(world);
    expectBelow(world, "DELETE_IN_PROGRESS");
    await update(world, { a: v("3") });
    await poll(world);
    expectBelow(world, "DELETE_IN_PROGRESS");
    expectEqual("status of a", theRow(world, "a").status, "COMPLETE");
    for (let minute = 0; minute < 12; minute++) {
      world.clock.advance(60_000);
      await sweep(world);
      await drain(world);
    }
    await act(world, "DELETE");
    await settle(world, "DELETE_COMPLETE");
    expectBelow(world, "DELETE_COMPLETE");
  },
};

const wakesAtOnce: Case = {
  title: "P13: the end of a nested stack wakes its owner at once, level by level, without a poll",
  run: async () => {
    const world = await aStack(nests({ m: { child: waiting } }));
    await signalBelow(world);
    verify(world, "CREATE_COMPLETE");
    for (const action of ["SUSPEND", "RESUME", "CHECK"] as const) {
      await act(world, action);
      await drain(world);
      for (const stack of world.nestedCheckers.nested) {
        expectThat(stack.action === action, `${stateOf(stack)} under ${action}`);
      }
      if (below(world).status === "IN_PROGRESS") await signalBelow(world);
      verify(world, `${action}_COMPLETE`);
    }
  },
};

const lostWake: Case = {
  title: "P13: the owner's poll finds the end of a nested stack whose wake-up was lost",
  run: async () => {
    const world = aWorld();
    await create(world, nests({ x: v("1") }));
    await drain(world, { hold: "xU" });
    const last = await deliverUntil(world, "xU", "store.writeStack");
    await world.step(last);
    await world.crash(last, "before");
    expectBelow(world, "CREATE_COMPLETE");
    expectEqual("status of the stack", world.stack?.status, "IN_PROGRESS");
    await poll(world);
    verify(world, "CREATE_COMPLETE");
  },
};

const unchanged: Case = {
  title:
    "P13: an update reaches the nested stack although its resource did not change: the nested stack may have",
  run: async () => {
    const world = await aStack(nests({ x: v("1") }));
    await ask(world, world.act("UPDATE", { x: v("9") }, below(world).id));
    await drain(world);
    await update(world, nests({ x: v("1") }));
    await settle(world, "UPDATE_COMPLETE");
    expectEqual("value of x", valueBelow(world), "1");
  },
};

export const DIRECTED_NESTED: readonly Case[] = [
  theFence,
  theTombstone,
  foreignUpdate,
  foreignDelete,
  cancelled,
  overtakenTwice,
  rolledBack,
  timedOut,
  deadAgent,
  wakesAtOnce,
  lostWake,
  unchanged,
];
