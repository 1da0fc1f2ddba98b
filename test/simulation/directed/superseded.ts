import { SETTLE_MS_MIN } from "#lib/convergence/limits.ts";
import { AGAINST_CHARS_MIN, templatesOfTexts } from "#lib/stack/record/reference.ts";
import { templatePrefix } from "#lib/stack/stored-places.ts";
import {
  act,
  aStack,
  ask,
  deliverNode,
  drain,
  finish,
  fullUpdate,
  refuse,
  runUntil,
  settle,
  sweep,
  theRow,
  update,
  verify,
} from "../world/drive.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import { STACK_ID, type World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { v, waiting } from "./specs.ts";

const LONG = "long ".repeat(AGAINST_CHARS_MIN);

const templatesOf = (world: World, id = STACK_ID): string => {
  const prefix = templatePrefix(id);
  const keys = world.blobs.keys().filter((key) => key.startsWith(prefix));
  return keys
    .map((key) => key.slice(prefix.length))
    .sort()
    .join();
};

const restLong = (world: World): void => world.clock.advance(SETTLE_MS_MIN + 1);

const sweepLater = async (world: World): Promise<void> => {
  restLong(world);
  await sweep(world);
};

const anUpdatedStack = async (): Promise<World> => {
  const world = await aStack({ a: v("1") });
  await update(world, { a: v("2") });
  await settle(world, "UPDATE_COMPLETE");
  restLong(world);
  return world;
};

/**
 * The first target was good. The second one failed at b, but a has reached it. The third failed at
 * a. So all three records are named: by a rollback, by a, and as the target.
 */
const aTwiceFailedStack = async (): Promise<World> => {
  const world = await aStack({ a: v("1") });
  await update(world, { a: v("2"), b: v("1", { to: "a" }) });
  await drain(world, { hold: "bU" });
  await refuse(world, "bU", "create");
  await update(world, { a: v("3") });
  await drain(world, { hold: "aU" });
  await refuse(world, "aU", "update");
  await drain(world);
  return world;
};

export const DIRECTED_SUPERSEDED: readonly Case[] = [
  {
    title: "P16: superseded templates stay while a visit may live, and go when the stack settles",
    run: async () => {
      const world = await aStack({ a: v("1") });
      expectThat(world.stack?.settled === true, "a new stack is not settled");
      for (const value of ["2", "3", "4"]) {
        await update(world, { a: v(value) });
        await settle(world, "UPDATE_COMPLETE");
      }
      world.clock.advance(SETTLE_MS_MIN);
      await sweep(world);
      expectEqual("before", templatesOf(world), "template-1,template-2,template-3,template-4");
      await sweepLater(world);
      expectEqual("after", templatesOf(world), "template-4");
      expectThat(world.stack?.settled === true, "the stack is not settled");
    },
  },
  {
    title: "P16: a CHECK after an update does not make its superseded template stay",
    run: async () => {
      const world = await anUpdatedStack();
      await act(world, "CHECK");
      await settle(world, "CHECK_COMPLETE");
      await sweepLater(world);
      expectEqual("templates", templatesOf(world), "template-2");
    },
  },
  {
    title: "P16, S26: the targets of a rollback and of a row stay, though no traversal has them",
    run: async () => {
      const world = await aTwiceFailedStack();
      expectEqual("state", `${world.stack?.action}_${world.stack?.status}`, "UPDATE_FAILED");
      await sweepLater(world);
      expectEqual("templates", templatesOf(world), "template-1,template-2,template-3");
      await act(world, "ROLLBACK");
      await settle(world, "ROLLBACK_COMPLETE");
      await sweepLater(world);
      expectEqual("templates in the end", templatesOf(world), "template-1");
    },
  },
  {
    title: "P16, S26: a template stays while a row's text is sealed against it",
    run: async () => {
      const world = await aStack({ b: v("1") });
      await update(world, { b: v("1"), a: v(LONG) });
      await drain(world, { hold: "aU" });
      await refuse(world, "aU", "create");
      await update(world, { b: v("2") });
      await finish(world, await deliverNode(world, "prepare"));
      await refuse(world, "bU", "update");
      await drain(world);
      expectEqual("template of a", theRow(world, "a").templateId, null);
      expectEqual("texts of a", templatesOfTexts([theRow(world, "a")]).join(), "template-2");
      await sweepLater(world);
      expectEqual("templates", templatesOf(world), "template-1,template-2,template-3");
      await act(world, "DELETE");
      await settle(world, "DELETE_COMPLETE");
    },
  },
  {
    title: "P16, S26: a row that is kept takes its texts along, and the former template goes",
    run: async () => {
      const world = await aStack({ a: v(LONG), b: v("1", { to: "a" }) });
      await fullUpdate(world, { a: v(LONG), b: v("2", { to: "a" }) });
      await settle(world, "UPDATE_COMPLETE");
      expectEqual("texts", templatesOfTexts([theRow(world, "a")])[0], "template-2");
      await sweepLater(world);
      expectEqual("templates", templatesOf(world), "template-2");
      await update(world, { a: v(`${LONG}!`), b: v("2", { to: "a" }) });
      await settle(world, "UPDATE_COMPLETE");
    },
  },
  {
    title: "P16, S26: no template goes while an operation goes on in a stack at rest",
    run: async () => {
      const world = await aStack(waiting);
      await ask(world, world.cancel());
      await update(world, { b: v("1") });
      await ask(world, world.cancel());
      expectEqual("template of w", theRow(world, "w").operation?.templateId, "template-1");
      await sweepLater(world);
      expectEqual("templates", templatesOf(world), "template-1,template-2");
    },
  },
  {
    title:
      "P16, S26: a request that began before the sweeper's fence is refused or keeps its target",
    run: async () => {
      for (const first of ["the sweeper", "the user"]) {
        const world = await anUpdatedStack();
        const user = await world.act("UPDATE", { a: v("3") });
        await runUntil(world, user, "store.writeStack");
        const sweeper = await world.sweep();
        await runUntil(world, sweeper, "store.writeStack");
        for (const worker of first === "the user" ? [user, sweeper] : [sweeper, user]) {
          await finish(world, worker);
        }
        const isRefused = first === "the sweeper";
        expectEqual("the target", world.stack?.templateId, `template-${isRefused ? 2 : 3}`);
        await settle(world, "UPDATE_COMPLETE");
      }
    },
  },
  {
    title: "P16: a sweeper that dies anywhere leaves the rest to the next round",
    run: async () => {
      for (let point = 0; ; point++) {
        const world = await anUpdatedStack();
        const sweeper = await world.sweep();
        for (let step = 0; step < point && !sweeper.finished; step++) await world.step(sweeper);
        const hasEnded = sweeper.finished;
        if (!hasEnded) await world.crash(sweeper, "after");
        await sweep(world);
        expectEqual("templates", templatesOf(world), "template-2");
        expectThat(world.stack?.settled === true, "the stack is not settled");
        verify(world, "UPDATE_COMPLETE");
        if (hasEnded) return;
      }
    },
  },
  {
    title: "P13, P16: a nested stack loses its superseded templates too",
    run: async () => {
      const world = await aStack({ n: { child: { a: v("1") } } });
      await update(world, { n: { child: { a: v("2") } } });
      await settle(world, "UPDATE_COMPLETE");
      const [child = ""] = [...world.stacks.keys()].filter((id) => id !== STACK_ID);
      expectEqual("before", templatesOf(world, child).split(",").length, 2);
      await sweepLater(world);
      expectEqual("after", templatesOf(world, child), world.stacks.get(child)?.templateId ?? "");
    },
  },
];
