import type { PendingMessage } from "#lib/adapters/memory/queue.ts";
import { visitOfOwner } from "#lib/convergence/messages.ts";
import { present } from "#lib/errors.ts";
import type { Resource } from "#lib/model/resource.ts";
import {
  act,
  aPreparedStack,
  aStack,
  deliverUntil,
  drain,
  finish,
  LEASE_PASSED_MS,
  redeliver,
  runUntil,
  settle,
  sweep,
  theRow,
  update,
  verify,
} from "../world/drive.ts";
import type { ResourceSpec } from "../world/spec.ts";
import { expectEqual } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { v } from "./specs.ts";

const WAIT_MS = 3_000;

const polled = (seconds: string, rest: ResourceSpec["properties"] = {}): ResourceSpec => ({
  type: "Sim::Slow",
  properties: { v: "1", seconds, poll: "3", ...rest },
});
const SOON = polled("3");
const LATER = polled("40");

const isKept = ({ message }: PendingMessage): boolean =>
  message.type === "check_resource" && message.kept !== undefined;

const theKeptPoll = (world: World): PendingMessage =>
  present(world.queue.pending.find(isKept), "a poll of who keeps its lease");

const pollUntilAsked = async (world: World) => {
  const worker = await world.deliver(theKeptPoll(world), true);
  await runUntil(world, worker, "fakeProvider.poll");
  return worker;
};

const creations = (world: World): number =>
  world.provider.calls().filter(({ kind }) => kind === "create").length;

const expectHandle = (world: World, is: "stored" | "not stored"): Resource => {
  const row = theRow(world, "a");
  const { operation, physicalResourceId } = row;
  const isStored = operation?.handle != null && physicalResourceId !== null;
  expectEqual("handle and id", isStored ? "stored" : "not stored", is);
  return row;
};

const settleAfterWait = async (world: World): Promise<void> => {
  await drain(world);
  world.clock.advance(WAIT_MS);
  await settle(world, "CREATE_COMPLETE");
};

const isAtWork = (world: World): void =>
  expectEqual<unknown>("operation of a", theRow(world, "a").operation?.action, "CREATE");

const twoWrites: Case = {
  title: "P26: an operation that is polled once costs its row two writes: a claim and an end",
  run: async () => {
    const goes = { ...SOON, properties: { ...SOON.properties, goes: "3" } };
    const world = await aStack({ a: goes });
    expectHandle(world, "not stored");
    world.clock.advance(WAIT_MS);
    await settle(world, "CREATE_COMPLETE");
    expectEqual("version after the creation", theRow(world, "a").version, 2);
    await update(world, { a: { ...goes, properties: { ...goes.properties, v: "2" } } });
    await drain(world);
    world.clock.advance(WAIT_MS);
    await settle(world, "UPDATE_COMPLETE");
    expectEqual("version after the update", theRow(world, "a").version, 4);
    await act(world, "DELETE");
    await drain(world);
    world.clock.advance(WAIT_MS);
    await settle(world, "DELETE_COMPLETE");
    expectEqual("version after the delete", world.rows[0]?.version, 6);
    expectEqual("provider calls", world.provider.calls().length, 3);
  },
};

const secondWait: Case = {
  title: "P26, P3.4: a poll that finds it waiting stores the handle and gives the lease back",
  run: async () => {
    const world = await aStack({ a: LATER });
    world.clock.advance(WAIT_MS);
    await drain(world);
    const { lease } = expectHandle(world, "stored");
    expectEqual("lease", lease, null);
    expectEqual("polls that keep a lease", world.queue.pending.filter(isKept).length, 0);
    world.clock.advance(40_000);
    await settle(world, "CREATE_COMPLETE");
    expectEqual("creations", creations(world), 1);
  },
};

const lost: Case = {
  title: "P26, P11, S2, L5: if the poll is lost, the lease ends and the call is made again",
  run: async () => {
    const world = await aStack({ a: SOON });
    world.drop(theKeptPoll(world));
    world.clock.advance(LEASE_PASSED_MS);
    await sweep(world);
    await drain(world);
    expectEqual("operation within the sweeper's margin", creations(world), 1);
    world.clock.advance(60_000);
    await sweep(world);
    await settleAfterWait(world);
    expectEqual("creations with one token", creations(world), 2);
  },
};

const twice: Case = {
  title: "P26, S2, S21: of two deliveries of the poll one records the end, and the other nothing",
  run: async () => {
    const world = await aStack({ a: SOON, b: v("1", { to: "a" }) });
    world.clock.advance(WAIT_MS);
    const one = await pollUntilAsked(world);
    const other = await pollUntilAsked(world);
    await finish(world, one);
    await finish(world, other);
    await settle(world, "CREATE_COMPLETE");
    expectEqual("version", theRow(world, "a").version, 2);
    expectEqual("creations", creations(world), 2);
  },
};

const afterRelease: Case = {
  title: "P26, S15: a second delivery of the poll does nothing once the lease is given back",
  run: async () => {
    const world = await aStack({ a: LATER });
    world.clock.advance(WAIT_MS);
    const one = await pollUntilAsked(world);
    const other = await pollUntilAsked(world);
    await finish(world, one);
    const { version } = expectHandle(world, "stored");
    await finish(world, other);
    await drain(world);
    expectEqual("version", theRow(world, "a").version, version);
    world.clock.advance(40_000);
    await settle(world, "CREATE_COMPLETE");
  },
};

const throttled: Case = {
  title: "P26, P12: a poll that is throttled stores what it knows, and no call is made again",
  run: async () => {
    const world = await aStack({ a: SOON });
    world.clock.advance(WAIT_MS);
    const other = await pollUntilAsked(world);
    const poll = await world.deliver(theKeptPoll(world));
    await runUntil(world, poll, "fakeProvider.poll");
    await world.throttle(poll, 0);
    await finish(world, poll);
    expectHandle(world, "stored");
    await finish(world, other);
    await redeliver(world);
    verify(world, "CREATE_COMPLETE");
    expectEqual("creations", creations(world), 1);
  },
};

const late = (ms: number, how: string): Case => ({
  title: `P26, P3.4, T16: a poll that comes ${how} stores what it knows, and the next one goes on`,
  run: async () => {
    const world = await aStack({ a: SOON });
    world.clock.advance(ms);
    await finish(world, await world.deliver(theKeptPoll(world)));
    const { lease } = expectHandle(world, "stored");
    expectEqual("lease", lease, null);
    await settle(world, "CREATE_COMPLETE");
    expectEqual("creations", creations(world), 1);
  },
});

const underAnother: Case = {
  title:
    "P26, S15, T81: a poll that comes after its lease was taken does not act under the new one",
  run: async () => {
    const world = await aStack({ a: SOON });
    const kept = theKeptPoll(world);
    world.drop(kept);
    world.clock.advance(2 * LEASE_PASSED_MS);
    await sweep(world);
    const again = await deliverUntil(world, "aU", "fakeProvider.create");
    await finish(world, await world.deliver(kept));
    isAtWork(world);
    await finish(world, again);
    await settleAfterWait(world);
  },
};

const voided: Case = {
  title: "P26: a poll whose lease was voided is like any other poll, and makes the call again",
  run: async () => {
    const world = await aStack({ a: SOON });
    const { stackId, id } = theRow(world, "a");
    await world.store.writeResource({ stackId, id }, [], { set: { lease: null } });
    world.clock.advance(WAIT_MS);
    await drain(world);
    await settleAfterWait(world);
    expectEqual("creations with one token", creations(world), 2);
  },
};

const olderVersion: Case = {
  title: "P26: a poll whose engine does not know the rule waits for the lease to end",
  run: async () => {
    const world = await aStack({ a: SOON });
    const kept = theKeptPoll(world);
    world.drop(kept);
    const row = theRow(world, "a");
    const message = visitOfOwner(row, present(row.operation, "its operation"));
    world.queue.pending.push({ ...kept, message });
    for (let times = 0; times < 7; times++) {
      world.clock.advance(15_000);
      await drain(world);
    }
    verify(world, "CREATE_COMPLETE");
  },
};

const deleted = (which: string, spec: ResourceSpec): Case => ({
  title: `P26, P25: a delete waits for the first poll, which finds it ${which}, and then goes on at once`,
  run: async () => {
    const world = await aStack({ a: spec });
    await act(world, "DELETE");
    await drain(world);
    isAtWork(world);
    world.clock.advance(WAIT_MS);
    await settle(world, "DELETE_COMPLETE");
    expectEqual("objects", world.provider.objects().length, 0);
  },
});

const wanted: Case = {
  title: "P26, D5: an update that comes meanwhile lets it end, and goes on from there at once",
  run: async () => {
    const world = await aStack({ a: SOON });
    await update(world, {
      a: { ...SOON, properties: { ...SOON.properties, v: "2", seconds: "0" } },
    });
    await drain(world);
    isAtWork(world);
    world.clock.advance(WAIT_MS);
    await settle(world, "UPDATE_COMPLETE");
    expectEqual("creations", creations(world), 1);
  },
};

const timedOut: Case = {
  title:
    "P26, P3.4, S1, T82: an operation whose time ends in the first wait leaves no object behind",
  run: async () => {
    const world = await aPreparedStack({ a: LATER }, { timeoutMins: 1 });
    world.clock.advance(58_000);
    await drain(world);
    expectHandle(world, "not stored");
    world.clock.advance(2_000);
    await drain(world);
    const { statusReason } = theRow(world, "a");
    expectEqual("reason", statusReason, "Error: resources.a: CREATE timed out");
    await act(world, "DELETE");
    await settle(world, "DELETE_COMPLETE");
  },
};

const poisoned: Case = {
  title: "P26, P12, T38: a dead letter fails nothing while the lease is kept",
  run: async () => {
    const world = await aStack({ a: SOON });
    world.clock.advance(WAIT_MS);
    await finish(world, await world.deliver(theKeptPoll(world), true, true));
    isAtWork(world);
    await settle(world, "CREATE_COMPLETE");
  },
};

const notKept = (which: string, spec: ResourceSpec, labels = "P26"): Case => ({
  title: `${labels}: ${which} stores its handle before the first wait`,
  run: async () => {
    const world = await aStack({ a: spec });
    expectHandle(world, "stored");
    expectEqual("polls that keep a lease", world.queue.pending.filter(isKept).length, 0);
  },
});

const notAfterCrash: Case = {
  title: "P26: a worker that makes a call again stores the handle, and keeps no lease",
  run: async () => {
    const world = await aPreparedStack({ a: LATER });
    const dying = await deliverUntil(world, "aU", "fakeProvider.create");
    await world.crash(dying, "after");
    await redeliver(world);
    expectHandle(world, "stored");
  },
};

export const DIRECTED_KEPT_LEASES: readonly Case[] = [
  twoWrites,
  secondWait,
  lost,
  twice,
  afterRelease,
  throttled,
  late(65_000, "when the lease is nearly over"),
  late(LEASE_PASSED_MS, "after its lease"),
  underAnother,
  voided,
  olderVersion,
  deleted("finished", SOON),
  deleted("still waiting", LATER),
  wanted,
  timedOut,
  poisoned,
  notAfterCrash,
  notKept("an operation that waits for a signal", { ...SOON, type: "Sim::Waiting" }, "P26, P12"),
  notKept("a creation that could be lost", { ...LATER, type: "Sim::Tokenless" }, "P26, P18, T83"),
  notKept("a type whose look does more than that", { ...LATER, type: "Sim::Late" }),
  notKept(
    "a longer wait",
    { ...LATER, properties: { ...LATER.properties, poll: "5" } },
    "P26, P25",
  ),
];
