import { SETTLE_MS_MIN } from "#lib/convergence/limits.ts";
import { present } from "#lib/errors.ts";
import { RECEIVES_MAX } from "#lib/ports/queue.ts";
import {
  act,
  aPreparedStack,
  aStack,
  ask,
  aWorld,
  create,
  deliverNode,
  deliverUntil,
  drain,
  finish,
  REDELIVERED_MS,
  redeliver,
  refuse,
  runUntil,
  settle,
  signal,
  sweep,
  theRow,
  update,
  verify,
} from "../world/drive.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import type { Case } from "./case.ts";
import { v, waiting } from "./specs.ts";

/** There are fewer than the deliveries after which a message is given up. */
const THROTTLED_CALLS = 8;
const MINUTE_MS = 60_000;

const CHAIN = 12;
/**
 * The prepare, each node's update, and a copy of each. More visits may grow with the chain's
 * length, but must not multiply.
 */
const CHAIN_DELIVERIES_MAX = 2 * (1 + CHAIN) + 2;

export const DIRECTED_NETS: readonly Case[] = [
  {
    title:
      "P5, S21: if every message came twice, side by side and oldest first, a chain would cost two visits a node",
    run: async () => {
      const world = aWorld();
      const names = Array.from({ length: CHAIN }, (_, at) => `n${at}`);
      const spec = names.map((name, at) => [name, v("1", at === 0 ? {} : { to: `n${at - 1}` })]);
      await create(world, Object.fromEntries(spec));
      for (let delivered = 0; ; delivered += 2) {
        const [pending] = world.deliverable();
        if (pending === undefined) break;
        expectThat(
          delivered < CHAIN_DELIVERIES_MAX,
          `S21: more than ${CHAIN_DELIVERIES_MAX} visits`,
        );
        world.copy(pending);
        const twins = [await world.deliver(pending)];
        const copy = world.deliverable().at(-1);
        twins.push(await world.deliver(present(copy, "the copy")));
        for (const twin of twins) await finish(world, twin);
      }
      verify(world, "CREATE_COMPLETE");
    },
  },
  {
    title:
      "P6: a repeated message walks through done nodes to where its first delivery ended, without the sweeper",
    run: async () => {
      const world = await aPreparedStack(
        { a: v("1"), b: v("1", { to: "a" }), c: v("1", { to: "b" }) },
        { inline: true },
      );
      const dying = await deliverNode(world, "aU");
      for (let node = 0; node < 2; node++) {
        await runUntil(world, dying, "fakeProvider.create");
        await world.step(dying);
      }
      await runUntil(world, dying, "fakeProvider.create");
      await world.crash(dying, "before");
      expectEqual("provider calls", world.provider.calls().length, 2);
      await redeliver(world);
      verify(world, "CREATE_COMPLETE");
    },
  },
  {
    title: "P3.4, S1: a signal before the first call's answer is stored does not lose the object",
    run: async () => {
      const world = await aPreparedStack(waiting);
      const visit = await deliverUntil(world, "wU", "fakeProvider.create");
      await world.step(visit);
      await runUntil(world, visit, "store.writeResource");
      await signal(world, "w");
      await finish(world, visit);
      await settle(world, "CREATE_COMPLETE");
    },
  },
  {
    title: "P12: a visit has one message, however often its provider is throttled",
    run: async () => {
      const world = await aPreparedStack({ a: v("1") });
      for (let calls = 0; calls < THROTTLED_CALLS; calls++) {
        const throttled = await deliverUntil(world, "aU", "fakeProvider.create");
        await world.throttle(throttled, 0);
        await finish(world, throttled);
        const { length } = world.queue.pending;
        expectThat(length === 1, `after ${calls + 1} throttled calls there are ${length} messages`);
        world.clock.advance(REDELIVERED_MS);
      }
      await settle(world, "CREATE_COMPLETE");
    },
  },
  {
    title: "P12: a visit that is throttled at every delivery is not given up",
    run: async () => {
      const world = await aPreparedStack({ a: v("1") }, { timeoutMins: 7 * 24 * 60 });
      for (let deliveries = 0; deliveries < 2 * RECEIVES_MAX + 1; deliveries++) {
        const throttled = await deliverNode(world, "aU");
        await world.throttle(throttled, 0);
        world.clock.advance(REDELIVERED_MS);
      }
      await settle(world, "CREATE_COMPLETE");
    },
  },
  {
    title: "P12: a throttled visit releases its lease, and its message continues the operation",
    run: async () => {
      const world = await aPreparedStack({ a: v("1") });
      const throttled = await deliverUntil(world, "aU", "fakeProvider.create");
      await world.throttle(throttled, 0);
      await finish(world, throttled);
      expectEqual("lease of a", theRow(world, "a").lease, null);
      await redeliver(world);
      verify(world, "CREATE_COMPLETE");
    },
  },
  {
    title:
      "P7: a delayed sweeper does not roll back, by the deadline, an update that has become good since its read",
    run: async () => {
      const world = await aStack(
        { a: v("1"), b: v("1") },
        { disableRollback: false, timeoutMins: 10 },
      );
      await update(world, { a: v("1") });
      world.clock.advance(11 * MINUTE_MS);
      const sweeper = await world.sweep();
      await runUntil(world, sweeper, "store.writeStack");
      await drain(world, { hold: "bC" });
      await finish(world, sweeper);
      await settle(world, "UPDATE_FAILED");
      expectThat(world.stack?.lastGood === "template-2", "the good update is not last_good");
    },
  },
  {
    title: "P11: a delayed sweeper does not settle a stack that has accepted another request since",
    run: async () => {
      const world = await aPreparedStack({ a: v("1") });
      await refuse(world, "aU", "create");
      world.clock.advance(SETTLE_MS_MIN + 1);
      const sweeper = await world.sweep();
      await runUntil(world, sweeper, "store.writeStack");
      await update(world, { a: v("2") });
      world.drop(present(world.queue.pending[0], "the prepare"));
      await finish(world, sweeper);
      world.clock.advance(MINUTE_MS);
      await sweep(world);
      await settle(world, "UPDATE_COMPLETE");
    },
  },
  {
    title:
      "P4, S8: CHECK does not change what a row requires, so what its object refers to is deleted later",
    run: async () => {
      const world = await aStack({ a: v("1"), b: v("1", { to: "a" }) });
      await update(world, { c: v("1"), b: v("1", { to: "c" }) });
      await drain(world, { hold: "bU" });
      await ask(world, world.cancel());
      const { requires } = theRow(world, "b");
      await act(world, "CHECK");
      await settle(world, "CHECK_COMPLETE");
      expectThat(
        theRow(world, "b").requires.join() === requires.join(),
        "what b requires has changed",
      );
      await act(world, "DELETE");
      await settle(world, "DELETE_COMPLETE");
    },
  },
];
