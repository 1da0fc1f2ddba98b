import type { Resource } from "#lib/model/resource.ts";
import {
  act,
  aStack,
  ask,
  aWorld,
  create,
  drain,
  drainNewestFirst,
  fullUpdate,
  redeliver,
  refuse,
  settle,
  sweep,
  update,
  verify,
} from "../world/drive.ts";
import type { ResourceSpec, Spec, WorldOptions } from "../world/spec.ts";
import { expectEqual, expectThat, Violation } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { comeToRest, namesAtWork, roll, waitingMembers } from "./group-steps.ts";
import { v } from "./specs.ts";

const MINUTE_MS = 60_000;
const draining = (which = "1"): ResourceSpec => ({
  type: "Sim::Draining",
  properties: { v: "1", "r!": which },
});
const NOTE: Spec = { b: v("1") };
const SITE: Spec = { w: draining(), ...NOTE };

const going = (world: World): Resource => {
  const row = world.allRows.find(({ operation }) => operation?.action === "DELETE");
  if (row === undefined) throw new Violation("no DELETE waits");
  expectThat(row.operation?.handle !== null, "its call is not made");
  return row;
};

/** The generation must stay, so that the agent's answer finds the operation. */
const goesOn = (world: World, before: Resource): void => {
  const { id, generation } = going(world);
  expectEqual("the DELETE that waits", `${id}/${generation}`, `${before.id}/${before.generation}`);
};

const answer = async (
  world: World,
  row: Resource,
  result: "COMPLETE" | "FAILED" = "COMPLETE",
): Promise<void> => {
  await ask(world, world.signal(row, result));
  await drain(world);
};

const removed = async (options: Partial<WorldOptions> = {}) => {
  const world = await aStack(SITE, options);
  await update(world, NOTE);
  await drain(world);
  return { world, row: going(world) };
};

const passMinutes = async (world: World, minutes: number): Promise<void> => {
  for (let minute = 0; minute < minutes; minute++) {
    world.clock.advance(MINUTE_MS);
    await sweep(world);
    await drain(world);
  }
};

const OVERTAKINGS: readonly (readonly [string, (world: World) => Promise<void>, string])[] = [
  ["an update of another resource", (world) => update(world, { b: v("2") }), "UPDATE_COMPLETE"],
  ["an update that changes nothing", (world) => update(world, NOTE), "UPDATE_COMPLETE"],
  ["an update that visits everything", (world) => fullUpdate(world, NOTE), "UPDATE_COMPLETE"],
  ["a delete of the stack", (world) => act(world, "DELETE"), "DELETE_COMPLETE"],
  ["an update that wants it again", (world) => update(world, SITE), "UPDATE_COMPLETE"],
  [
    "an update that wants another in its place",
    (world) => update(world, { w: v("1"), ...NOTE }),
    "UPDATE_COMPLETE",
  ],
  ["a rollback", (world) => act(world, "ROLLBACK"), "ROLLBACK_COMPLETE"],
  [
    "a cancel and an update",
    async (world) => {
      await ask(world, world.cancel());
      await drain(world);
      await update(world, { b: v("2") });
    },
    "UPDATE_COMPLETE",
  ],
  [
    "three updates, whose messages come newest first",
    async (world) => {
      for (const value of ["2", "3", "4"]) {
        await update(world, { b: v(value) });
        await drainNewestFirst(world);
      }
    },
    "UPDATE_COMPLETE",
  ],
];

const waitsOn = ([what, overtake, state]: (typeof OVERTAKINGS)[number]): Case => ({
  title: `P3.4, L11, T88: a DELETE that waits for its server is not ended by ${what}`,
  run: async () => {
    const { world, row } = await removed();
    await overtake(world);
    await drain(world);
    await passMinutes(world, 2);
    goesOn(world, row);
    expectEqual("status of the stack", world.stack?.status, "IN_PROGRESS");
    await answer(world, row);
    await settle(world, state);
  },
});

const wantedComesAfter: Case = {
  title: "P3.4, L11: what an update wants again is made after the DELETE has been answered",
  run: async () => {
    const { world, row } = await removed();
    await update(world, SITE);
    await drain(world);
    const others = world.rows.filter(({ name, id }) => name === "w" && id !== row.id);
    expectEqual("rows beside it", others.length, 0);
    await answer(world, row);
    await settle(world, "UPDATE_COMPLETE");
    expectEqual("rows of w", world.rows.filter(({ name }) => name === "w").length, 2);
  },
};

const replacedRow: Case = {
  title: "P3.4, L11: the DELETE of a replaced row waits on beside the next replacement",
  run: async () => {
    const world = await aStack(SITE);
    await update(world, { w: draining("2"), ...NOTE });
    await drain(world);
    const row = going(world);
    await update(world, { w: draining("3"), ...NOTE });
    await drain(world);
    const goings = world.rows.filter(({ operation }) => operation?.action === "DELETE");
    expectEqual("deletes that wait", goings.length, 2);
    expectThat(
      goings.some(({ id, generation }) => id === row.id && generation === row.generation),
      "the first DELETE has ended",
    );
    for (const one of goings) await answer(world, one);
    await settle(world, "UPDATE_COMPLETE");
  },
};

const failedRemoval: Case = {
  title: "P3.4, P7, L11: a DELETE waits on when its update fails and is rolled back",
  run: async () => {
    const world = await aStack({ ...SITE, c: v("1") }, { disableRollback: false });
    await update(world, { ...NOTE, c: v("2") });
    await drain(world, { hold: "cU" });
    const row = going(world);
    await refuse(world, "cU", "update");
    await drain(world);
    goesOn(world, row);
    await answer(world, row);
    await settle(world, "ROLLBACK_COMPLETE");
  },
};

const failedAnswer: Case = {
  title: "P3.4, P4: a script that fails after an overtake is run again by the newer request",
  run: async () => {
    const { world, row } = await removed();
    await update(world, { b: v("2") });
    await drain(world);
    await answer(world, row, "FAILED");
    const again = going(world);
    expectEqual("generation", again.generation, row.generation + 1);
    await answer(world, row);
    goesOn(world, again);
    await answer(world, again);
    await settle(world, "UPDATE_COMPLETE");
  },
};

const ownDeadline: Case = {
  title: "P3.4, L3, L11, T89: a DELETE ends as done at the deadline with which it began",
  run: async () => {
    const { world, row } = await removed({ timeoutMins: 10 });
    await passMinutes(world, 6);
    await update(world, { b: v("2") });
    await passMinutes(world, 3);
    goesOn(world, row);
    await passMinutes(world, 2);
    verify(world, "UPDATE_COMPLETE");
    const reason = world.store.row(row.stackId, row.id)?.statusReason;
    expectEqual("reason", reason, "DELETE ended without an answer: timed out");
  },
};

/** The newer request has less time than the DELETE. */
const earlierDeadline: Case = {
  title: "P3.4, P7, L11: the deadline of a newer request ends that request, and not the DELETE",
  run: async () => {
    const { world, row } = await removed({ timeoutMins: 60 });
    const stack = world.stack;
    if (stack === null) throw new Violation("no stack");
    await world.store.writeStack(stack.tenant, stack.id, [], { timeoutMins: 10 });
    await update(world, { b: v("2") });
    await passMinutes(world, 12);
    expectEqual("stack", `${world.stack?.action}_${world.stack?.status}`, "UPDATE_FAILED");
    goesOn(world, row);
    await act(world, "DELETE");
    await drain(world);
    goesOn(world, row);
    await answer(world, row);
    await settle(world, "DELETE_COMPLETE");
  },
};

const lostWorker: Case = {
  title: "P3.4, P11, L11: an overtaken DELETE whose poll is lost is polled by the sweeper",
  run: async () => {
    const { world, row } = await removed({ timeoutMins: 60 });
    await update(world, { b: v("2") });
    await drain(world);
    for (const pending of [...world.queue.pending]) world.drop(pending);
    await ask(world, world.signal(row, "COMPLETE"));
    for (const pending of [...world.queue.pending]) world.drop(pending);
    await passMinutes(world, 3);
    await redeliver(world);
    verify(world, "UPDATE_COMPLETE");
  },
};

const nested: Case = {
  title: "P3.4, P13, L11: a DELETE in a nested stack waits on when its parent is updated",
  run: async () => {
    const child = (spec: Spec): Spec => ({ n: { child: spec }, ...NOTE });
    const world = await aStack(child(SITE));
    await update(world, child(NOTE));
    await drain(world);
    const row = going(world);
    await update(world, { n: { child: NOTE }, b: v("2") });
    await drain(world);
    goesOn(world, row);
    await answer(world, row);
    await passMinutes(world, 2);
    verify(world, "UPDATE_COMPLETE");
  },
};

const wholeNested: Case = {
  title: "P3.4, P13, L11: so does one in a nested stack that its parent has removed",
  run: async () => {
    const world = await aStack({ n: { child: SITE }, ...NOTE });
    await update(world, NOTE);
    await drain(world);
    const row = world.allRows.find(({ name, operation }) => name === "w" && operation !== null);
    if (row === undefined) throw new Violation("no DELETE waits below");
    await update(world, { b: v("2") });
    await drain(world);
    expectEqual<unknown>(
      "the DELETE below",
      world.store.row(row.stackId, row.id)?.operation?.generation,
      row.generation,
    );
    await answer(world, row);
    await passMinutes(world, 2);
    verify(world, "UPDATE_COMPLETE");
  },
};

const restarted: Case = {
  title: "P3.4, P4, L11: an answer that comes while the newer prepare runs is counted once",
  run: async () => {
    const world = aWorld();
    await create(world, SITE);
    await drain(world);
    await update(world, NOTE);
    await drain(world);
    const row = going(world);
    await update(world, { b: v("2") });
    await ask(world, world.signal(row, "COMPLETE"));
    await drainNewestFirst(world);
    await settle(world, "UPDATE_COMPLETE");
    const generations = world.rows.map(({ name, generation }) => `${name}${generation}`);
    expectThat(generations.includes("w2"), `w began again: ${generations.join()}`);
  },
};

const rollGoesOn: Case = {
  title: "P21, P3.4, L11: a roll does not wait for the DELETE of a member that goes already",
  run: async () => {
    const rolling = { minimum: 0, batch: 1 };
    const world = await aStack(waitingMembers(2, "1", { rolling }));
    await roll(world);
    await update(world, waitingMembers(1, "1", { rolling }));
    await drain(world);
    const row = going(world);
    await update(world, waitingMembers(1, "2", { rolling }));
    await passMinutes(world, 1);
    goesOn(world, row);
    expectEqual("at work", namesAtWork(world), `0 ${row.name}`);
    await comeToRest(world);
    verify(world, "UPDATE_COMPLETE");
  },
};

export const DIRECTED_WAITING_DELETES: readonly Case[] = [
  ...OVERTAKINGS.map(waitsOn),
  wantedComesAfter,
  replacedRow,
  failedRemoval,
  failedAnswer,
  ownDeadline,
  earlierDeadline,
  lostWorker,
  nested,
  wholeNested,
  restarted,
  rollGoesOn,
];
