import { SETTLE_MS_MIN } from "#lib/convergence/limits.ts";
import { templatePrefix } from "#lib/stack/stored-places.ts";
import {
  act,
  aStack,
  ask,
  deliverNode,
  deliverUntil,
  drain,
  drainNewestFirst,
  finish,
  fullUpdate,
  messageFor,
  nodeName,
  refuse,
  settle,
  sweep,
  theRow,
  update,
} from "../world/drive.ts";
import type { ResourceSpec, Spec } from "../world/spec.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import { STACK_ID, type World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { replaced, v } from "./specs.ts";

const after = (one: ResourceSpec, ...names: string[]): ResourceSpec => ({ ...one, after: names });

export const nodesOf = (world: World): string =>
  (world.store.dump().graphs.at(-1)?.nodes ?? [])
    .map(({ name, isUpdate }) => `${name}${isUpdate ? "U" : "C"}`)
    .sort()
    .join(" ");

const prepare = async (world: World): Promise<void> =>
  finish(world, await deliverNode(world, "prepare"));

const dueIn = (world: World): string =>
  world
    .deliverable()
    .map((one) => nodeName(world, one))
    .sort()
    .join(" ");

const twoApart = { a: v("1"), b: v("1") };
const held: Spec = { a: replaced("1"), b: after(v("1"), "a") };
const heldReplaced: Spec = { ...held, a: replaced("2") };

const replacedUnderHolder = async (): Promise<World> => {
  const world = await aStack(held);
  await update(world, heldReplaced);
  await drain(world, { hold: "aC" });
  return world;
};

const onlyWhatChanged: Case = {
  title: "P24: an update visits what it changes and what refers to that, and nothing else",
  run: async () => {
    const world = await aStack({
      a: v("1"),
      b: v("1", { to: "a" }),
      c: after(v("1"), "a"),
      d: v("1"),
    });
    const d = theRow(world, "d");
    await update(world, {
      a: v("2"),
      b: v("1", { to: "a" }),
      c: after(v("1"), "a"),
      d: v("1"),
    });
    await settle(world, "UPDATE_COMPLETE");
    expectEqual("nodes", nodesOf(world), "aC aU bC bU");
    expectThat(theRow(world, "d") === d, "d was written");
  },
};

const everythingOnRequest: Case = {
  title: "P24: a user can ask an update to visit everything",
  run: async () => {
    const world = await aStack(twoApart);
    await fullUpdate(world, { ...twoApart, a: v("2") });
    await settle(world, "UPDATE_COMPLETE");
    expectEqual("nodes", nodesOf(world), "aC aU bC bU");
    await update(world, { ...twoApart, a: v("3") });
    await settle(world, "UPDATE_COMPLETE");
    expectEqual("nodes of the next one", nodesOf(world), "aC aU");
  },
};

const originalLeftOut: Case = {
  title: "P24, T75: a rollback goes back to the original that the update before did not visit",
  run: async () => {
    const world = await aStack({ a: replaced("1"), b: v("1") }, { disableRollback: false });
    await update(world, { a: replaced("1"), b: v("2") });
    await settle(world, "UPDATE_COMPLETE");
    const original = theRow(world, "a").physicalResourceId;
    await update(world, { a: replaced("2"), b: v("3") });
    await drain(world, { hold: (one) => ["bU", "aC"].includes(nodeName(world, one)) });
    await refuse(world, "bU", "update");
    await settle(world, "ROLLBACK_COMPLETE");
    expectEqual("the object of a", theRow(world, "a").physicalResourceId, original);
  },
};

const marked: Case = {
  title: "P24: a resource that is marked is visited by an update of another one",
  run: async () => {
    const world = await aStack(twoApart);
    const mark = { action: "CHECK", status: "FAILED" } as const;
    await world.store.writeResource(theRow(world, "a"), [], { set: mark });
    await update(world, { ...twoApart, b: v("2") });
    await settle(world, "UPDATE_COMPLETE");
  },
};

const afterCheck: Case = {
  title: "P24, T76: after a CHECK everything is visited, since it may have found other attributes",
  run: async () => {
    const a = { type: "Sim::Drifting", properties: { v: "1" } };
    const world = await aStack({ a, b: v("1", { to: "a" }), c: v("1") });
    await act(world, "CHECK");
    await drain(world);
    await update(world, { a, b: v("1", { to: "a" }), c: v("2") });
    await drain(world);
    const b = world.provider.objects().find(({ logicalName }) => logicalName === "b");
    expectThat(
      String(b?.properties["to"]).endsWith("drifted"),
      `b refers to ${b?.properties["to"]}`,
    );
  },
};

const cutOffRollback: Case = {
  title: "P24, T77: after a rollback that was cut off everything is visited",
  run: async () => {
    const world = await aStack(twoApart);
    await update(world, { a: v("2"), b: v("2") });
    await drain(world, { hold: "bU" });
    await act(world, "ROLLBACK");
    await prepare(world);
    await ask(world, world.cancel());
    await update(world, { ...twoApart, c: v("1") });
    await settle(world, "UPDATE_COMPLETE");
  },
};

const orderThroughOthers: Case = {
  title: "P24, S6, T78: order goes through a resource that is not changed itself",
  run: async () => {
    const world = await aStack({ a: v("1"), b: after(v("1"), "a"), c: after(v("1"), "b") });
    await update(world, { a: v("2"), b: after(v("1"), "a"), c: after(v("2"), "b") });
    await prepare(world);
    expectEqual("due", dueIn(world), "aU");
    await settle(world, "UPDATE_COMPLETE");
  },
};

const orderToRemoved: Case = {
  title: "P24: an old row goes after a removed one that depended on it through others",
  run: async () => {
    const world = await aStack({ a: replaced("1"), b: after(v("1"), "a"), c: after(v("1"), "b") });
    await update(world, { a: replaced("2"), b: after(v("1"), "a") });
    await drain(world, { hold: "cC" });
    const objects = world.provider.objects().filter(({ logicalName }) => logicalName === "a");
    expectEqual("objects of a while c is there", objects.length, 2);
    await settle(world, "UPDATE_COMPLETE");
  },
};

const letsGo: Case = {
  title:
    "P24, S7, T79: a row that is not visited lets go of what is deleted, and needs what serves",
  run: async () => {
    const world = await replacedUnderHolder();
    const [old, b] = [theRow(world, "a").id, theRow(world, "b")];
    expectEqual("b requires", b.requires.join(), old);
    await settle(world, "UPDATE_COMPLETE");
    expectEqual("nodes", nodesOf(world), "aC aU");
    const now = theRow(world, "b");
    expectEqual("b requires in the end", now.requires.join(), theRow(world, "a").id);
    expectThat(now.requires.join() !== old, "b still requires the old row");
    expectEqual("number of b", now.number, b.number);
    await act(world, "DELETE");
    await settle(world, "DELETE_COMPLETE");
  },
};

const twoUnderOneHolder: Case = {
  title: "P24, S17, T80: of two cleanups that rewrite one row, none is lost",
  run: async () => {
    const spec = (value: string): Spec => ({
      a: replaced(value),
      d: replaced(value),
      c: after(v("1"), "a", "d"),
    });
    const world = await aStack(spec("1"));
    await update(world, spec("2"));
    await drain(world, { hold: (one) => /[ad]C/.test(nodeName(world, one)) });
    const first = await deliverUntil(world, "aC", "store.writeResource");
    await finish(world, await deliverNode(world, "dC"));
    await finish(world, first);
    await settle(world, "UPDATE_COMPLETE");
    const ids = [theRow(world, "a").id, theRow(world, "d").id].sort();
    expectEqual("c requires", [...theRow(world, "c").requires].sort().join(), ids.join());
  },
};

const overtakenWhileLettingGo: Case = {
  title:
    "P24, S9: a cleanup that a delete overtakes at any moment rewrites no row of the newer one",
  run: async () => {
    for (let point = 0; ; point++) {
      const world = await replacedUnderHolder();
      const cleanup = await deliverNode(world, "aC");
      for (let step = 0; step < point && !cleanup.finished; step++) await world.step(cleanup);
      const hasEnded = cleanup.finished;
      await act(world, "DELETE");
      await prepare(world);
      const requires = theRow(world, "b").requires.join();
      await finish(world, cleanup);
      expectEqual("what b requires", theRow(world, "b").requires.join(), requires);
      await drainNewestFirst(world);
      await settle(world, "DELETE_COMPLETE");
      if (hasEnded) return;
    }
  },
};

const deadLetterLetsGo: Case = {
  title: "P12, P24, S7: a dead letter of a cleanup lets go too, before it claims the row",
  run: async () => {
    const world = await replacedUnderHolder();
    const old = theRow(world, "a").id;
    await finish(world, await world.deliver(messageFor(world, "aC"), false, true));
    expectThat(!theRow(world, "b").requires.includes(old), "b still requires the old row");
    expectEqual("status of the stack", world.stack?.status, "FAILED");
  },
};

const hookOfEnvironment: Case = {
  title: "P24: a hook that only the environment has changed stops its resource",
  run: async () => {
    const world = await aStack(twoApart);
    await update(world, { a: { ...v("1"), hooks: ["pre-update"] }, b: v("2") });
    await drain(world);
    expectEqual("hook of a", theRow(world, "a").pause?.hook, "pre-update");
  },
};

const templatesStay: Case = {
  title: "P16, P24, S26: the template of a row that was left out stays while the row names it",
  run: async () => {
    const world = await aStack(twoApart);
    for (const value of ["2", "3"]) {
      await update(world, { ...twoApart, b: v(value) });
      await settle(world, "UPDATE_COMPLETE");
    }
    world.clock.advance(SETTLE_MS_MIN + 1);
    await sweep(world);
    const templates = (): string =>
      world.blobs
        .keys()
        .filter((key) => key.startsWith(templatePrefix(STACK_ID)))
        .map((key) => key.slice(templatePrefix(STACK_ID).length))
        .sort()
        .join();
    expectEqual("templates", templates(), "template-1,template-3");
    await fullUpdate(world, { ...twoApart, b: v("3") });
    await settle(world, "UPDATE_COMPLETE");
    world.clock.advance(SETTLE_MS_MIN + 1);
    await sweep(world);
    expectEqual("templates in the end", templates(), "template-4");
  },
};

const nestedIsVisited: Case = {
  title: "P13, P24, S22: a nested stack is visited by an update of something else, and mended",
  run: async () => {
    const child = { child: { x: v("1") } };
    const world = await aStack({ n: child, b: v("1") });
    const below = [...world.stacks.keys()].find((id) => id !== STACK_ID) ?? "";
    await ask(world, world.act("DELETE", undefined, below));
    await drain(world);
    await update(world, { n: child, b: v("2") });
    await settle(world, "UPDATE_COMPLETE");
  },
};

export const DIRECTED_PARTIAL: readonly Case[] = [
  onlyWhatChanged,
  everythingOnRequest,
  originalLeftOut,
  marked,
  afterCheck,
  cutOffRollback,
  orderThroughOthers,
  orderToRemoved,
  letsGo,
  twoUnderOneHolder,
  overtakenWhileLettingGo,
  deadLetterLetsGo,
  hookOfEnvironment,
  templatesStay,
  nestedIsVisited,
];
