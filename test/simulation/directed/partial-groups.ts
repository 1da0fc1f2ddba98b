import { SETTLE_MS_MIN } from "#lib/convergence/limits.ts";
import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import type { Resource } from "#lib/model/resource.ts";
import { TEMPLATE_RECORDS_NAMED_MAX } from "#lib/stack/limits.ts";
import { templatePrefix } from "#lib/stack/stored-places.ts";
import { aStack, ask, drain, settle, sweep, theRow, update, verify } from "../world/drive.ts";
import type { GroupSpec, Spec } from "../world/spec.ts";
import { signalType } from "../world/users.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { below, comeToRest, groupOf, holdBelow, memberNames } from "./group-steps.ts";
import { v } from "./specs.ts";

const members = (count: number, value = "1", more: Partial<GroupSpec> = {}): Spec => {
  const member = { properties: { v: value, name: "member-%index%" } };
  return { g: { group: { count, member, ...more } } };
};

const nodesBelow = (world: World, from = below(world).traversalNumber): string =>
  world.store
    .dump()
    .graphs.filter(
      ({ stackId, traversalNumber }) => stackId === below(world).id && traversalNumber >= from,
    )
    .map(({ nodes }) =>
      nodes
        .map(({ name, isUpdate }) => `${name}${isUpdate ? "U" : "C"}`)
        .sort()
        .join(" "),
    )
    .join(", ");

const membersOf = (world: World): readonly Resource[] => world.store.rowsOf(below(world).id);

const updateAndSettle = async (world: World, spec: Spec): Promise<void> => {
  await update(world, spec);
  await settle(world, "UPDATE_COMPLETE");
  verify(world, "UPDATE_COMPLETE");
};

const oneMoreOrLess: Case = {
  title:
    "P21, P24, S31: a group that grows or shrinks by one visits that member, and writes no other",
  run: async () => {
    const world = await aStack(members(3));
    const before = membersOf(world);
    await updateAndSettle(world, members(4));
    expectEqual("nodes", nodesBelow(world), "3U");
    await updateAndSettle(world, members(3));
    expectEqual("nodes", nodesBelow(world), "3C");
    await updateAndSettle(world, { ...members(3), other: v("1") });
    expectEqual("nodes beside a change of the parent", nodesBelow(world), "");
    const now = membersOf(world);
    expectThat(
      before.every((row) => now.includes(row)),
      "a member was written",
    );
  },
};

const skipped: Case = {
  title: "P21, P24, S30, S31: a removed name goes, the next one comes, and no other is visited",
  run: async () => {
    const world = await aStack(members(3));
    await updateAndSettle(world, members(3, "1", { removed: ["1"] }));
    expectEqual("nodes", nodesBelow(world), "1C 3U");
    await updateAndSettle(world, members(3));
    expectEqual("nodes while the list stays", nodesBelow(world), "");
    expectEqual("members", memberNames(world), "0 2 3");
  },
};

const otherDefinition: Case = {
  title:
    "P21, P24, S31: all members are visited if their definition differs, and a new one with them",
  run: async () => {
    const world = await aStack(members(2));
    await updateAndSettle(world, members(3, "2"));
    expectEqual("nodes", nodesBelow(world), "0C 0U 1C 1U 2U");
  },
};

const overtaken: Case = {
  title:
    "P21, P24, S31, T84: what an overtaken update of a group has not reached is visited by the next",
  run: async () => {
    const world = await aStack(members(2));
    await update(world, members(2, "2"));
    const hold = holdBelow(world, "1U");
    await drain(world, { hold });
    const { traversalId } = below(world);
    await update(world, { ...members(2, "2"), other: v("1") });
    await drain(world, {
      hold: (pending) => below(world).traversalId === traversalId && hold(pending),
    });
    await comeToRest(world);
    verify(world, "UPDATE_COMPLETE");
    expectEqual("nodes", nodesBelow(world), "0C 0U 1C 1U");
  },
};

const leavesInTrim: Case = {
  title: "P20, P24, S29, S31: a roll leaves out the member that its second traversal takes away",
  run: async () => {
    const world = await aStack(groupOf(3, "1"));
    const from = below(world).traversalNumber + 1;
    await updateAndSettle(world, groupOf(2, "2"));
    const [roll = "", trim = ""] = nodesBelow(world, from).split(", ");
    expectThat(roll.includes("0U") && roll.includes("batch"), `the roll visits ${roll}`);
    expectThat(!roll.includes("2U"), "the roll visits what goes afterwards");
    expectEqual("the second traversal", trim, "2C batch_1_doneC");
    expectEqual("members", memberNames(world), "0 1");
  },
};

/** The group needs three batches, so that members stand between two barriers. */
const afterRoll: Case = {
  title:
    "P15, P21, P24: the update after a roll takes its barriers away, and visits no member for that",
  run: async () => {
    const inPlace = { rolling: { minimum: 0, batch: 1 } };
    const world = await aStack(groupOf(3, "1", inPlace));
    await updateAndSettle(world, groupOf(3, "2", inPlace));
    const before = membersOf(world);
    await updateAndSettle(world, groupOf(4, "2", inPlace));
    expectEqual("nodes", nodesBelow(world), "3U batch_1_doneC batch_2_doneC");
    const now = membersOf(world);
    expectThat(
      before.every((row) => row.type === BARRIER_TYPE || now.includes(row)),
      "a member was written",
    );
  },
};

/** Rows that a later roll leaves out still name the template record of the first one. */
const sameBarrierName: Case = {
  title: "P15, P21, P24: a barrier of a later roll has nothing to do with one of its name before",
  run: async () => {
    const inPlace = { rolling: { minimum: 0, batch: 1 } };
    const world = await aStack(groupOf(4, "1", inPlace));
    await updateAndSettle(world, groupOf(4, "2", inPlace));
    await updateAndSettle(world, { ...groupOf(4, "2", inPlace), other: v("1") });
    const from = below(world).traversalNumber + 1;
    await updateAndSettle(world, { ...groupOf(2, "3"), other: v("1") });
    const [roll] = nodesBelow(world, from).split(", ");
    expectEqual("the roll", roll, "0C 0U 1C 1U 3C batch_1_doneU");
  },
};

const scaled = (minimum: number, maximum: number): Spec => ({
  g: { scaling: { minimum, maximum, member: { properties: { v: "1" } } } },
  up: { policy: { adjustment: 1 }, refers: { auto_scaling_group_id: "g" } },
  down: { policy: { adjustment: -1 }, refers: { auto_scaling_group_id: "g" } },
});

const signal = async (world: World, policy: "up" | "down"): Promise<number> => {
  await ask(world, signalType(world, theRow(world, policy)));
  await drain(world);
  expectEqual("nested stack", below(world).status, "COMPLETE");
  const nodes = nodesBelow(world);
  return nodes === "" ? 0 : nodes.split(" ").length;
};

const signalled: Case = {
  title: "P22, P24: a signal visits the member that comes or goes",
  run: async () => {
    const world = await aStack(scaled(1, 9));
    for (let size = 2; size <= 5; size++) expectEqual("nodes", await signal(world, "up"), 1);
    const [oldest] = membersOf(world).toSorted((one, other) => one.createdAt - other.createdAt);
    expectEqual("nodes", await signal(world, "down"), 1);
    expectEqual("its cleanup", nodesBelow(world), `${oldest?.name}C`);
  },
};

const manySignals: Case = {
  title: "P16, P22, P24: many signals leave few template records, and visit few members for them",
  run: async () => {
    const signals = TEMPLATE_RECORDS_NAMED_MAX + 8;
    const world = await aStack(scaled(signals, 2 * signals));
    let visited = 0;
    for (let sent = 0; sent < signals; sent++) visited += await signal(world, "up");
    expectThat(visited < 3 * signals, `${signals} signals visit ${visited} members`);
    world.clock.advance(SETTLE_MS_MIN + 1);
    await sweep(world);
    const prefix = templatePrefix(below(world).id);
    const records = world.blobs.keys().filter((key) => key.startsWith(prefix)).length;
    expectThat(records <= TEMPLATE_RECORDS_NAMED_MAX, `${records} records stay`);
  },
};

const failedMember: Case = {
  title: "P21, P24, S31: after a scaling that failed everything is visited",
  run: async () => {
    const waiting = { type: "Sim::Waiting", properties: { v: "1" } };
    const world = await aStack(members(0, "1", { member: waiting }));
    await update(world, members(1, "1", { member: waiting }));
    await drain(world);
    for (const row of membersOf(world)) await ask(world, world.signal(row, "FAILED"));
    await drain(world);
    await update(world, members(2, "1", { member: waiting }));
    await comeToRest(world);
    verify(world, "UPDATE_COMPLETE");
    expectEqual("members", memberNames(world), "0 1");
  },
};

export const DIRECTED_PARTIAL_GROUPS: readonly Case[] = [
  oneMoreOrLess,
  skipped,
  otherDefinition,
  overtaken,
  leavesInTrim,
  afterRoll,
  sameBarrierName,
  signalled,
  manySignals,
  failedMember,
];
