/** Directed cases of the actions that take a stack over, let it go, and remember it: ADOPT, abandon, SNAPSHOT. */
import { present } from "#lib/errors.ts";
import { ask, aWorld, create, drain, expect, finish, update, verify } from "../world/drive.ts";
import type { Spec } from "../world/spec.ts";
import { abandon } from "../world/users.ts";
import { STACK_ID, type World } from "../world/world.ts";
import { type Case, deliverNode, v } from "./basics.ts";

const REDELIVERED_MS = 400_000;
const spec: Spec = { a: v("1"), b: v("1", { to: "a" }) };

/** What a former stack has left in the provider. */
const leftovers = async (world: World, stackName = "former"): Promise<Record<string, string>> => {
  const ids: Record<string, string> = {};
  for (const name of ["a", "b"]) {
    const answer = await world.cloud.create({
      token: `former/${name}`,
      stackName,
      logicalName: name,
      type: "Hearth::Test::Scenario",
      properties: { v: "1", ...(name === "b" ? { to: present(ids["a"], "the id of a") } : {}) },
      waitMs: 0,
    });
    if (answer.state !== "missing") ids[name] = answer.physicalId;
  }
  return ids;
};

const dataOf = (world: World) =>
  world.blobs.get(`snapshot/${STACK_ID}/${world.stack?.traversalId}`);

export const DIRECTED_LIFE: readonly Case[] = [
  {
    title:
      "ADOPT: what is given is taken over and nothing made, whoever dies on the way; then it is the stack's own",
    run: async () => {
      for (let point = 0; ; point++) {
        const world = aWorld();
        const ids = await leftovers(world, "simulated");
        await ask(world, world.create(spec, ids));
        await drain(world, { visits: 1 });
        const visit = await deliverNode(world, "aU");
        for (let step = 0; step < point && !visit.finished; step++) await world.step(visit);
        const hasEnded = visit.finished;
        if (!hasEnded) await world.crash(visit, "after");
        world.clock.advance(REDELIVERED_MS);
        await drain(world);
        verify(world, "ADOPT_COMPLETE");
        expect(world.cloud.calls().length === 2, "the provider was asked for something");
        await ask(world, world.act("DELETE"));
        await drain(world);
        verify(world, "DELETE_COMPLETE");
        if (hasEnded) return;
      }
    },
  },
  {
    title: "ADOPT: rolled back, it leaves what was there before it",
    run: async () => {
      const world = aWorld({ disableRollback: false });
      const { a = "" } = await leftovers(world);
      await ask(world, world.create(spec, { a }));
      await drain(world);
      verify(world, "ROLLBACK_COMPLETE");
      expect(world.cloud.objects().length === 2, "an object of the former stack is gone");
    },
  },
  {
    title:
      "abandon: after any number of visits of an update no object goes that had not gone before",
    run: async () => {
      for (let visits = 0; visits < 8; visits++) {
        const world = aWorld();
        await create(world, spec);
        await drain(world);
        await update(world, { b: v("2"), c: v("1", { to: "b" }) });
        await drain(world, { visits });
        const before = world.cloud.objects().length;
        await ask(world, abandon(world));
        await drain(world);
        verify(world, "DELETE_COMPLETE");
        expect(world.cloud.objects().length >= before, "an object went with the abandoned stack");
      }
    },
  },
  {
    title:
      "SNAPSHOT: its data is there when it is complete, and nobody is touched, whoever dies on the way",
    run: async () => {
      for (const when of ["before", "after"] as const) {
        for (let point = 0; ; point++) {
          const world = aWorld({ inline: true });
          await create(world, spec);
          await drain(world);
          const calls = world.cloud.calls().length;
          await ask(world, world.act("SNAPSHOT"));
          await drain(world, { visits: 1 });
          const visit = await deliverNode(world, "aU");
          for (let step = 0; step < point && !visit.finished; step++) await world.step(visit);
          if (visit.finished) break;
          await world.crash(visit, when);
          world.clock.advance(REDELIVERED_MS);
          await finish(world, await world.sweep());
          await drain(world);
          verify(world, "SNAPSHOT_COMPLETE");
          expect((await dataOf(world)) !== null, "a complete snapshot without data");
          expect(world.cloud.calls().length === calls, "the provider was asked for something");
        }
      }
    },
  },
  {
    title: "SNAPSHOT: overtaken it leaves no data, and the update goes on",
    run: async () => {
      const world = aWorld();
      await create(world, spec);
      await drain(world);
      await ask(world, world.act("SNAPSHOT"));
      const id = world.stack?.traversalId;
      await drain(world, { visits: 2 });
      await update(world, { a: v("2"), b: v("2", { to: "a" }) });
      await drain(world);
      verify(world, "UPDATE_COMPLETE");
      const data = await world.blobs.get(`snapshot/${STACK_ID}/${id}`);
      expect(data === null, "an overtaken snapshot has data");
    },
  },
  {
    title: "SNAPSHOT: overtaken while it is stored it tells of the stack as it was, or has no data",
    run: async () => {
      for (let point = 0; ; point++) {
        const world = aWorld({ inline: true });
        await create(world, { a: v("1") });
        await drain(world);
        await ask(world, world.act("SNAPSHOT"));
        const id = world.stack?.traversalId;
        await drain(world, { visits: 1 });
        const visit = await deliverNode(world, "aU");
        for (let step = 0; step < point && !visit.finished; step++) await world.step(visit);
        if (visit.finished) return;
        await update(world, { a: v("2") });
        await drain(world);
        await finish(world, visit);
        await drain(world);
        verify(world, "UPDATE_COMPLETE");
        const data = await world.blobs.get(`snapshot/${STACK_ID}/${id}`);
        const tellsOfUpdate = data?.includes('"action":"UPDATE","status":"COMPLETE"') ?? false;
        expect(!tellsOfUpdate, `after ${point} steps the snapshot is of the update`);
      }
    },
  },
];
