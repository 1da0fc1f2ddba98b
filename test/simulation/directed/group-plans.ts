import type { PendingMessage } from "#lib/adapters/memory/queue.ts";
import { present } from "#lib/errors.ts";
import {
  aStack,
  ask,
  deliverUntil,
  drain,
  finish,
  messageFor,
  nodeName,
  refuse,
  settle,
  update,
  verify,
} from "../world/drive.ts";
import type { GroupSpec, Spec } from "../world/spec.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import {
  atWork,
  below,
  comeToRest,
  groupOf,
  memberNames,
  namesAtWork,
  roll,
  waitingMembers,
} from "./group-steps.ts";

const POLLED_MS = 20_000;

const missingSurplus: Case = {
  title:
    "P21, S29, T61: a surplus that is not there yet does not count as serving when its roll is overtaken",
  run: async () => {
    const world = await aStack(groupOf(2, "1"));
    await update(world, groupOf(2, "2"));
    await drain(world, { hold: "2U" });
    expectThat(below(world).status === "IN_PROGRESS", "the roll did not wait for its surplus");
    await update(world, groupOf(2, "3"));
    await comeToRest(world);
    verify(world, "UPDATE_COMPLETE");
  },
};

const failedSurplus: Case = {
  title: "P21, S29: a surplus that failed does not count as serving, and keeps its name",
  run: async () => {
    const world = await aStack(groupOf(2, "1"));
    await update(world, groupOf(2, "2"));
    await drain(world, { hold: "2U" });
    await refuse(world, "2U", "create");
    await drain(world);
    expectEqual("status", world.stack?.status, "FAILED");
    await update(world, groupOf(2, "3"));
    await comeToRest(world);
    verify(world, "UPDATE_COMPLETE");
    expectEqual("members", memberNames(world), "0 1");
  },
};

const lateVisit: Case = {
  title:
    "P21, S29, T62: the members of a roll wait for those that the overtaken roll still changes",
  run: async () => {
    const world = await aStack(groupOf(2, "1"));
    await update(world, groupOf(2, "2"));
    await drain(world, { hold: "0U" });
    const late = await deliverUntil(world, "0U", "store.writeResource");
    const child = below(world).id;
    await update(world, groupOf(2, "3"));
    await drain(world, {
      hold: ({ message }) => message.type === "prepare_traversal" && message.stackId === child,
    });
    await world.step(late);
    for (let polls = 0; polls < 3; polls++) {
      await drain(world);
      world.clock.advance(POLLED_MS);
    }
    await finish(world, late);
    await comeToRest(world);
    verify(world, "UPDATE_COMPLETE");
    expectEqual("members", memberNames(world), "0 1");
  },
};

const replacing = (more: Partial<GroupSpec> = {}): Spec =>
  waitingMembers(1, "1", { rolling: { minimum: 1, batch: 1 }, mode: "update", ...more });

const replacedMember: Case = {
  title: "P21, S29, T66: a member that an overtaken roll is replacing still serves",
  run: async () => {
    const world = await aStack(replacing({ removed: ["0"] }));
    await roll(world);
    const other = { type: "Sim::Waiting", properties: { "r!": "2" } };
    await update(world, replacing({ removed: ["0"], member: other, rolling: { batch: 1 } }));
    await drain(world);
    expectEqual("at work", namesAtWork(world), "1");
    // The removed name is free again, so the member has another name in the end.
    await update(world, replacing());
    await drain(world, { hold: "0U" });
    for (let answers = 0; answers < 3; answers++) {
      for (const row of atWork(world)) await ask(world, world.signal(row, "COMPLETE"));
      await drain(world, { hold: "0U" });
    }
    await comeToRest(world);
    verify(world, "UPDATE_COMPLETE");
    expectEqual("members", memberNames(world), "0");
  },
};

const keptUntilBack: Case = {
  title:
    "P21, S29, T65: an overtaking roll takes no member away while the overtaken roll still changes others",
  run: async () => {
    const world = await aStack(groupOf(3, "1"));
    await update(world, groupOf(3, "2", { rolling: { minimum: 2, batch: 2 } }));
    const isHeld = (one: PendingMessage) => ["0U", "1U"].includes(nodeName(world, one));
    await drain(world, { hold: isHeld });
    expectEqual("members", memberNames(world), "0 1 2 3");
    const late = [
      await deliverUntil(world, "1U", "store.writeResource"),
      await deliverUntil(world, "0U", "store.writeResource"),
    ];
    const child = below(world).id;
    await update(world, groupOf(3, "3"));
    await drain(world, {
      hold: ({ message }) => message.type === "prepare_traversal" && message.stackId === child,
    });
    for (const worker of late) await world.step(worker);
    await drain(world);
    expectEqual("members", memberNames(world), "0 1 2 3");
    for (const worker of late) await finish(world, worker);
    await comeToRest(world);
    verify(world, "UPDATE_COMPLETE");
    expectEqual("members", memberNames(world), "0 1 2");
  },
};

const OLDER_POLLED_MS = 6_000;

const askedForPolls: Case = {
  title: "P21: a roll ends what the overtaken roll waits for, before its members' next poll",
  run: async () => {
    const world = await aStack(waitingMembers(2, "1"));
    await roll(world);
    await update(world, waitingMembers(2, "2"));
    expectEqual("at work", await roll(world, 2), "2, 1");
    await drain(world);
    expectEqual("at work", namesAtWork(world), "0");
    await update(world, waitingMembers(2, "3"));
    await drain(world);
    world.clock.advance(OLDER_POLLED_MS);
    await drain(world);
    const [zero] = atWork(world);
    expectEqual("whose operation", zero?.operation?.traversalId, below(world).traversalId);
    expectEqual("at work in the newer roll", await roll(world, 1), "0");
    await comeToRest(world);
    verify(world, "UPDATE_COMPLETE");
  },
};

const completeByAnother: Case = {
  title: "P21, S29: a failed roll is no target that was reached, also after a SUSPEND and a RESUME",
  run: async () => {
    const world = await aStack(waitingMembers(2, "1"));
    await roll(world);
    await update(world, waitingMembers(2, "2"));
    await drain(world);
    await ask(world, world.signal(present(atWork(world)[0], "the surplus"), "FAILED"));
    await drain(world);
    expectEqual("status", world.stack?.status, "FAILED");
    for (const action of ["SUSPEND", "RESUME"] as const) {
      await ask(world, world.act(action, undefined, below(world).id));
      await drain(world);
    }
    expectEqual("status below", below(world).status, "COMPLETE");
    await update(world, waitingMembers(2, "2"));
    expectEqual("at work", await roll(world), "2, 1, 0, 2");
    verify(world, "UPDATE_COMPLETE");
  },
};

const plannedFromBelow: Case = {
  title:
    "P21, S29, T63: a roll to the target that an overtaken roll had begins anew, and in batches",
  run: async () => {
    const world = await aStack(waitingMembers(2, "1"));
    await roll(world);
    await update(world, waitingMembers(2, "2"));
    expectEqual("at work", await roll(world, 1), "2");
    await update(world, waitingMembers(2, "2", { removed: ["7"] }));
    expectEqual("at work", await roll(world), "1, 0, 2");
    verify(world, "UPDATE_COMPLETE");
  },
};

const leftOver: Case = {
  title: "P21, S35, S36, T64: a surplus that an overtaken roll left goes without a change",
  run: async () => {
    const world = await aStack(waitingMembers(3, "1"));
    await roll(world);
    await update(world, waitingMembers(3, "2"));
    await drain(world, { hold: "2U" });
    world.drop(messageFor(world, "2U"));
    await update(world, waitingMembers(2, "3"));
    expectEqual("at work", await roll(world), "1, 0, 2");
    verify(world, "UPDATE_COMPLETE");
    expectEqual("members", memberNames(world), "0 1");
  },
};

const leftChanged: Case = {
  title: "P21, S29, T64: what a late visit has changed is brought back behind the other batches",
  run: async () => {
    const world = await aStack(waitingMembers(3, "1"));
    await roll(world);
    await update(world, waitingMembers(3, "2"));
    await drain(world, { hold: "2U" });
    const late = await deliverUntil(world, "2U", "store.writeResource");
    const child = below(world).id;
    await update(world, waitingMembers(2, "3"));
    await drain(world, {
      hold: ({ message }) => message.type === "prepare_traversal" && message.stackId === child,
    });
    await finish(world, late);
    await comeToRest(world);
    verify(world, "UPDATE_COMPLETE");
    expectEqual("members", memberNames(world), "0 1");
  },
};

const createdInBatches: Case = {
  title: "P21: batch_create holds only while there is no record below, and rolling_update later",
  run: async () => {
    const policies = { creating: { batch: 2 }, rolling: { minimum: 0, batch: 1 } };
    const world = await aStack(waitingMembers(3, "1", policies));
    expectEqual("at work", await roll(world), "0 1, 2");
    verify(world, "CREATE_COMPLETE");
    await update(world, waitingMembers(3, "2", policies));
    expectEqual("at work", await roll(world), "2, 1, 0");
    verify(world, "UPDATE_COMPLETE");
    await update(world, waitingMembers(4, "2", { ...policies, mode: "update" }));
    expectEqual("at work without another definition", await roll(world), "3");
    verify(world, "UPDATE_COMPLETE");
  },
};

const expectMembers = async (
  world: World,
  more: Partial<GroupSpec>,
  names: string,
): Promise<void> => {
  await update(world, groupOf(2, "1", more));
  await comeToRest(world);
  verify(world, "UPDATE_COMPLETE");
  expectEqual("members", memberNames(world), names);
};

const skipList: Case = {
  title: "P21, S30: a name that was removed is never a member again, unless the mode is update",
  run: async () => {
    const world = await aStack(groupOf(2, "1", { removed: ["0", "nobody"] }));
    await settle(world, "CREATE_COMPLETE");
    expectEqual("members", memberNames(world), "1 2");
    await expectMembers(world, { removed: ["1"] }, "2 3");
    await expectMembers(world, { removed: [] }, "2 3");
    await expectMembers(world, { removed: ["2", "9"], mode: "update" }, "0 1");
    await expectMembers(world, { removed: [], mode: "append" }, "0 1");
    await expectMembers(world, { removed: [], mode: "update" }, "0 1");
    await expectMembers(world, { removed: ["0"], mode: "update" }, "1 2");
  },
};

const skipListOvertaken: Case = {
  title:
    "P21, S30: a name stays removed when its operation is overtaken after the acceptance, and in a rollback",
  run: async () => {
    for (const action of ["UPDATE", "ROLLBACK"] as const) {
      const world = await aStack(waitingMembers(2, "1"));
      await roll(world);
      await update(world, waitingMembers(2, "2", { removed: ["1"] }));
      await drain(world, { hold: "2U" });
      const spec = action === "UPDATE" ? waitingMembers(2, "3") : undefined;
      await finish(world, await world.act(action, spec));
      await comeToRest(world);
      verify(world, `${action}_COMPLETE`);
      expectEqual("members", memberNames(world), "0 2");
    }
  },
};

export const DIRECTED_GROUP_PLANS: readonly Case[] = [
  missingSurplus,
  failedSurplus,
  lateVisit,
  replacedMember,
  keptUntilBack,
  askedForPolls,
  completeByAnother,
  plannedFromBelow,
  leftOver,
  leftChanged,
  createdInBatches,
  skipList,
  skipListOvertaken,
];
