import {
  BACKLOG_VISITS_MIN,
  OVERDUE_MS_MIN,
  SWEEP_REMAINING_MS_MIN,
} from "#lib/convergence/limits.ts";
import {
  aPreparedStack,
  aWorld,
  create,
  deliverUntil,
  drain,
  finish,
  redeliver,
  settle,
  sweep,
} from "../world/drive.ts";
import type { Spec } from "../world/spec.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import { STACK_ID, TENANT, type World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { v } from "./specs.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The sweeper sends fewer messages than this at once. */
const WIDE = BACKLOG_VISITS_MIN + 60;
const TURNS_MAX = 21;

const loseAll = (world: World): void => {
  world.queue.pending.splice(0);
};

const sentBy = async (world: World): Promise<number> => {
  const before = world.queue.pending.length;
  await sweep(world);
  return world.queue.pending.length - before;
};

const wide: Spec = Object.fromEntries(Array.from({ length: WIDE }, (_, at) => [`n${at}`, v("1")]));

const timeFor = (stacks: number) => {
  let left = stacks;
  return () => (left-- > 0 ? SWEEP_REMAINING_MS_MIN + 1 : 0);
};

const aReadySecond = async (): Promise<World> => {
  const world = await aPreparedStack({ a: v("1"), b: v("1", { to: "a" }) });
  world.clock.advance(MINUTE_MS);
  await drain(world, { visits: 1 });
  return world;
};

export const DIRECTED_SWEEPER: readonly Case[] = [
  {
    title: "P11, S21: the sweeper sends no second visit to a node that became ready a moment ago",
    run: async () => {
      const world = await aReadySecond();
      expectEqual("messages that were sent at once", await sentBy(world), 0);
      world.clock.advance(OVERDUE_MS_MIN - 1);
      expectEqual("messages that were sent too early", await sentBy(world), 0);
      await settle(world, "CREATE_COMPLETE");
    },
  },
  {
    title: "P11, S21: the last of several predecessors decides when a node became ready",
    run: async () => {
      const world = await aPreparedStack({ a: v("1"), b: v("1"), c: v("1", { x: "a", y: "b" }) });
      await drain(world, { visits: 1 });
      world.clock.advance(MINUTE_MS);
      await drain(world, { visits: 1 });
      expectEqual("messages that were sent at once", await sentBy(world), 0);
      await settle(world, "CREATE_COMPLETE");
    },
  },
  {
    title: "P11, L5: the sweeper sends the lost visit of a node that has been ready for long",
    run: async () => {
      const world = await aReadySecond();
      loseAll(world);
      world.clock.advance(OVERDUE_MS_MIN);
      expectEqual("messages that were sent", await sentBy(world), 1);
      await settle(world, "CREATE_COMPLETE");
    },
  },
  {
    title: "P11, S21: the sweeper sends a leaf only if its traversal was published a while ago",
    run: async () => {
      const world = aWorld();
      await create(world, { a: v("1") });
      world.clock.advance(MINUTE_MS);
      await drain(world, { visits: 1 });
      expectEqual("messages that were sent at once", await sentBy(world), 0);
      loseAll(world);
      world.clock.advance(OVERDUE_MS_MIN);
      expectEqual("messages that were sent", await sentBy(world), 1);
      await settle(world, "CREATE_COMPLETE");
    },
  },
  {
    title: "P11, S21: the sweeper sends a prepare only if its stack was accepted a while ago",
    run: async () => {
      const world = aWorld();
      await create(world, { a: v("1") });
      expectEqual("messages that were sent at once", await sentBy(world), 0);
      loseAll(world);
      world.clock.advance(OVERDUE_MS_MIN);
      expectEqual("messages that were sent", await sentBy(world), 1);
      await settle(world, "CREATE_COMPLETE");
    },
  },
  {
    title: "P11, S21: the sweeper leaves a node alone that was done a moment ago and still arrives",
    run: async () => {
      const world = await aReadySecond();
      const worker = await deliverUntil(world, "bU", "store.arrive");
      expectEqual("messages that were sent at once", await sentBy(world), 0);
      await world.crash(worker, "before");
      loseAll(world);
      world.clock.advance(OVERDUE_MS_MIN);
      expectEqual("messages that were sent", await sentBy(world), 1);
      await settle(world, "CREATE_COMPLETE");
      await redeliver(world);
    },
  },
  {
    title: "P11: a stack of a former version has no times, and counts as overdue",
    run: async () => {
      const world = await aPreparedStack({ a: v("1") });
      loseAll(world);
      await world.store.writeStack(TENANT, STACK_ID, [], { sentAt: null });
      expectEqual("messages that were sent", await sentBy(world), 1);
      await settle(world, "CREATE_COMPLETE");
    },
  },
  {
    title: "P11, L5: the times of a clock that was set back do not silence the sweeper",
    run: async () => {
      const world = aWorld({ timeoutMins: 7 * 24 * 60 });
      world.clock.advance(DAY_MS);
      await create(world, { a: v("1") });
      await drain(world, { visits: 1 });
      loseAll(world);
      world.clock.advance(-DAY_MS);
      expectEqual("messages that were sent", await sentBy(world), 1);
      await settle(world, "CREATE_COMPLETE");
    },
  },
  {
    title: "P11, L5: the sweeper reads again what a busy store has left unread",
    run: async () => {
      const names = ["a", "c", "e"];
      const chains = names.flatMap((name) => [
        [name, v("1")],
        [`${name}2`, v("1", { to: name })],
      ]);
      const world = await aPreparedStack(Object.fromEntries(chains));
      await drain(world, { visits: names.length });
      loseAll(world);
      world.clock.advance(MINUTE_MS);
      expectEqual("messages that were sent", await sentBy(world), names.length);
      await settle(world, "CREATE_COMPLETE");
    },
  },
];

const cutRound: Case = {
  title: "P11, L5, P13: a round that is cut off is continued where it stopped, and skips no stack",
  run: async () => {
    const world = aWorld();
    await create(world, { n: { child: { x: v("1") } } });
    await drain(world, { hold: (one) => one.message.stackId !== STACK_ID });
    loseAll(world);
    for (const looked of [1, 1]) {
      world.clock.advance(MINUTE_MS);
      await finish(world, await world.sweep({ remainingMs: timeFor(looked) }));
    }
    const begun = world.queue.pending.filter(({ message }) => message.stackId !== STACK_ID);
    expectEqual("messages for the second stack", begun.length, 1);
    world.clock.advance(MINUTE_MS);
    await drain(world);
    await settle(world, "CREATE_COMPLETE");
  },
};

const backlog: Case = {
  title: "P11, S21: of a backlog in the queue the sweeper repeats one part a round, each in turn",
  run: async () => {
    const world = await aPreparedStack(wide);
    expectEqual("visits in the queue", world.queue.pending.length, WIDE);
    const repeated = new Set<string>();
    for (let round = 0; round < TURNS_MAX; round++) {
      world.clock.advance(MINUTE_MS);
      const sent = await sentBy(world);
      expectThat(sent <= Math.ceil(WIDE / 16), `${sent} messages were sent in one round`);
      for (const { message } of world.queue.pending.splice(WIDE)) {
        if (message.type === "check_resource") repeated.add(message.resourceId);
      }
    }
    expectEqual("nodes that were sent again", repeated.size, WIDE);
  },
};

const lostBacklog: Case = {
  title: "P11, L5: if the queue has lost a backlog, the sweeper sends all of it at once",
  run: async () => {
    const world = await aPreparedStack(wide);
    loseAll(world);
    world.clock.advance(MINUTE_MS);
    expectEqual("messages that were sent", await sentBy(world), WIDE);
    await settle(world, "CREATE_COMPLETE");
  },
};

export const DIRECTED_ROUNDS: readonly Case[] = [cutRound, backlog, lostBacklog];
