import {
  act,
  aStack,
  ask,
  deliverUntil,
  drain,
  finish,
  LEASE_PASSED_MS,
  messageFor,
  redeliver,
  runUntil,
  update,
  verify,
} from "../world/drive.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import {
  atWork,
  below,
  comeToRest,
  groupOf,
  isBetween,
  memberNames,
  minutesPass,
  roll,
  rolledOut,
  waitingMembers,
} from "./group-steps.ts";
import { v } from "./specs.ts";

const inBatches: Case = {
  title:
    "P20, S29, S31: a roll that keeps all in service brings a member more, and takes it away last",
  run: async () => {
    const world = await aStack(waitingMembers(2, "1"));
    expectEqual("at work", await roll(world), "0 1");
    verify(world, "CREATE_COMPLETE");
    await update(world, waitingMembers(2, "2"));
    expectEqual("at work", await roll(world), "2, 1, 0, 2");
    verify(world, "UPDATE_COMPLETE");
    expectEqual("step", below(world).owner?.step, "second");
    await update(world, waitingMembers(2, "3", { rolling: { minimum: 0, batch: 1 } }));
    expectEqual("at work", await roll(world), "1, 0");
    verify(world, "UPDATE_COMPLETE");
    expectEqual("step without a surplus", below(world).owner?.step, undefined);
  },
};

const stolenLease: Case = {
  title:
    "P20, S30, T58: a worker that begins the second traversal late finds the nested stack deleted",
  run: async () => {
    const world = await rolledOut();
    const old = await deliverUntil(world, "gU", "store.writeStack");
    world.clock.advance(LEASE_PASSED_MS);
    await act(world, "DELETE");
    await comeToRest(world);
    verify(world, "DELETE_COMPLETE");
    await finish(world, old);
    await comeToRest(world);
    verify(world, "DELETE_COMPLETE");
  },
};

const crashedAfter: Case = {
  title: "P20, T59: a worker that dies between the second acceptance and its handle loses neither",
  run: async () => {
    for (const more of [0, 1]) {
      const world = await rolledOut();
      const worker = await deliverUntil(world, "gU", "store.writeStack");
      for (let step = 0; step <= more; step++) await world.step(worker);
      await world.crash(worker, "before");
      expectEqual("step", below(world).owner?.step, "second");
      await redeliver(world);
      verify(world, "UPDATE_COMPLETE");
      expectEqual("members", memberNames(world), "0 1");
    }
  },
};

const givenUpBetween = async (): Promise<World> => {
  const world = await rolledOut();
  const message = messageFor(world, "gU");
  const old = await world.deliver(message, true);
  await runUntil(world, old, "store.writeStack");
  world.clock.advance(LEASE_PASSED_MS);
  await finish(world, await world.deliver(message, false, true));
  expectEqual("step", below(world).owner?.step, "closed");
  await finish(world, old);
  await drain(world);
  return world;
};

const closed: Case = {
  title: "P20, S30, T60: an operation that is given up between its traversals begins no second one",
  run: async () => {
    const world = await givenUpBetween();
    expectEqual("status", world.stack?.status, "FAILED");
    expectThat(below(world).owner?.step === "closed", "the second traversal began");
    expectEqual("members", memberNames(world), "0 1 2");
    await update(world, groupOf(2, "2"));
    await comeToRest(world);
    verify(world, "UPDATE_COMPLETE");
    expectEqual("members", memberNames(world), "0 1");
  },
};

const play = async (world: World, visits: number): Promise<boolean> => {
  for (let delivered = 0; delivered < visits; ) {
    const found = await drain(world, { visits: 1 });
    delivered += found;
    if (found > 0) continue;
    if (world.stack?.status !== "IN_PROGRESS") return false;
    for (const row of atWork(world)) await ask(world, world.signal(row, "COMPLETE"));
  }
  return true;
};

const atEachMoment = async (
  request: (world: World) => Promise<void>,
  check: (world: World) => void,
): Promise<void> => {
  let between = 0;
  let second = 0;
  for (let visits = 0; ; visits++) {
    const world = await aStack(waitingMembers(2, "1"));
    await roll(world);
    await update(world, waitingMembers(2, "2"));
    const goesOn = await play(world, visits);
    if (isBetween(world)) between++;
    if (below(world).owner?.step === "second") second++;
    await request(world);
    await comeToRest(world);
    check(world);
    if (!goesOn) break;
  }
  expectThat(between > 0 && second > 1, "a step of the roll was left out");
};

const deleted: Case = {
  title: "P20, S30: a delete at any moment of a roll leaves nothing",
  run: () =>
    atEachMoment(
      (world) => act(world, "DELETE"),
      (world) => verify(world, "DELETE_COMPLETE"),
    ),
};

const rolledBack: Case = {
  title: "P20, P21, S29: a rollback at any moment of a roll brings the members back in batches",
  run: () =>
    atEachMoment(
      (world) => act(world, "ROLLBACK"),
      (world) => {
        verify(world, "ROLLBACK_COMPLETE");
        expectEqual("members", memberNames(world), "0 1");
      },
    ),
};

const overtaken: Case = {
  title: "P20, P21, S29: an update at any moment of a roll uses its own batches",
  run: () =>
    atEachMoment(
      (world) => update(world, waitingMembers(3, "3")),
      (world) => {
        verify(world, "UPDATE_COMPLETE");
        expectEqual("members", memberNames(world), "0 1 2");
      },
    ),
};

const cancelled: Case = {
  title: "P20, P21, S29: a cancel at any moment of a roll stops it, and the next update goes on",
  run: () =>
    atEachMoment(
      async (world) => {
        await ask(world, world.cancel());
        await comeToRest(world);
        await update(world, waitingMembers(2, "3"));
      },
      (world) => {
        verify(world, "UPDATE_COMPLETE");
        expectEqual("members", memberNames(world), "0 1");
      },
    ),
};

const changedByHand: Case = {
  title: "P20, S22: a nested stack that a user changes between the two traversals begins no second",
  run: async () => {
    for (const action of ["CHECK", "UPDATE"] as const) {
      const world = await rolledOut();
      const spec = action === "UPDATE" ? { x: v("9") } : undefined;
      await ask(world, world.act(action, spec, below(world).id));
      await comeToRest(world);
      expectThat(
        world.stack?.statusReason.includes("changed behind its parent") ?? false,
        `${world.stack?.status}: ${world.stack?.statusReason}`,
      );
      await update(world, groupOf(2, "3"));
      await comeToRest(world);
      verify(world, "UPDATE_COMPLETE");
      expectEqual("members", memberNames(world), "0 1");
    }
  },
};

const DEADLINE_MINUTES = 10;

const timesOut = async (world: World): Promise<void> => {
  await minutesPass(world, DEADLINE_MINUTES + 2);
  verify(world, "UPDATE_FAILED");
  expectThat(below(world).status !== "IN_PROGRESS", "the nested stack goes on");
  await update(world, waitingMembers(2, "3"));
  await comeToRest(world);
  verify(world, "UPDATE_COMPLETE");
  expectEqual("members", memberNames(world), "0 1");
};

const timedOut: Case = {
  title: "P20, L4: one deadline holds for both traversals, and for the time between them",
  run: async () => {
    const inTime = { timeoutMins: DEADLINE_MINUTES };
    for (const rounds of [0, 1, 2, 3]) {
      const world = await aStack(waitingMembers(2, "1"), inTime);
      await roll(world);
      await update(world, waitingMembers(2, "2"));
      await roll(world, rounds);
      await timesOut(world);
    }
    const world = await rolledOut(inTime);
    expectThat(isBetween(world), "the second traversal has begun");
    world.clock.advance((DEADLINE_MINUTES + 1) * 60_000);
    await timesOut(world);
  },
};

export const DIRECTED_GROUPS: readonly Case[] = [
  inBatches,
  stolenLease,
  crashedAfter,
  closed,
  deleted,
  rolledBack,
  overtaken,
  cancelled,
  changedByHand,
  timedOut,
];
