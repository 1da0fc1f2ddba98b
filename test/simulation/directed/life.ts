import { present } from "#lib/errors.ts";
import {
  act,
  aStack,
  ask,
  aWorld,
  deliverNode,
  drain,
  finish,
  REDELIVERED_MS,
  redeliver,
  settle,
  sweep,
  update,
  verify,
} from "../world/drive.ts";
import type { Spec } from "../world/spec.ts";
import { abandon } from "../world/users.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import { STACK_ID, type World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { v } from "./specs.ts";

const spec: Spec = { a: v("1"), b: v("1", { to: "a" }) };

const leftovers = async (world: World, stackName = "former"): Promise<Record<string, string>> => {
  const ids: Record<string, string> = {};
  for (const name of ["a", "b"]) {
    const answer = await world.provider.create({
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
      "ADOPT: the given objects are taken over and none is created, whichever worker dies; then the stack owns them",
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
        await redeliver(world);
        verify(world, "ADOPT_COMPLETE");
        expectEqual("provider calls", world.provider.calls().length, 2);
        await act(world, "DELETE");
        await settle(world, "DELETE_COMPLETE");
        if (hasEnded) return;
      }
    },
  },
  {
    title: "ADOPT: a rollback leaves the adopted objects",
    run: async () => {
      const world = aWorld({ disableRollback: false });
      const { a = "" } = await leftovers(world);
      await ask(world, world.create(spec, { a }));
      await settle(world, "ROLLBACK_COMPLETE");
      expectEqual("objects at the provider", world.provider.objects().length, 2);
    },
  },
  {
    title: "abandon: it deletes no object, after any number of visits of an update",
    run: async () => {
      for (let visits = 0; visits < 8; visits++) {
        const world = await aStack(spec);
        await update(world, { b: v("2"), c: v("1", { to: "b" }) });
        await drain(world, { visits });
        const before = world.provider.objects().length;
        await ask(world, abandon(world));
        await settle(world, "DELETE_COMPLETE");
        expectThat(
          world.provider.objects().length >= before,
          "an object was deleted with the abandoned stack",
        );
      }
    },
  },
  {
    title:
      "SNAPSHOT: its data is there when it is complete, and no resource changes, whichever worker dies",
    run: async () => {
      for (const when of ["before", "after"] as const) {
        for (let point = 0; ; point++) {
          const world = await aStack(spec, { inline: true });
          const calls = world.provider.calls().length;
          await act(world, "SNAPSHOT");
          await drain(world, { visits: 1 });
          const visit = await deliverNode(world, "aU");
          for (let step = 0; step < point && !visit.finished; step++) await world.step(visit);
          if (visit.finished) break;
          await world.crash(visit, when);
          world.clock.advance(REDELIVERED_MS);
          await sweep(world);
          await settle(world, "SNAPSHOT_COMPLETE");
          expectThat((await dataOf(world)) !== null, "a complete snapshot without data");
          expectEqual("provider calls", world.provider.calls().length, calls);
        }
      }
    },
  },
  {
    title: "SNAPSHOT: when overtaken it leaves no data, and the update continues",
    run: async () => {
      const world = await aStack(spec);
      await act(world, "SNAPSHOT");
      const id = world.stack?.traversalId;
      await drain(world, { visits: 2 });
      await update(world, { a: v("2"), b: v("2", { to: "a" }) });
      await settle(world, "UPDATE_COMPLETE");
      const data = await world.blobs.get(`snapshot/${STACK_ID}/${id}`);
      expectThat(data === null, "an overtaken snapshot has data");
    },
  },
  {
    title:
      "SNAPSHOT: when overtaken while it is stored, it shows the stack before the update or has no data",
    run: async () => {
      for (let point = 0; ; point++) {
        const world = await aStack({ a: v("1") }, { inline: true });
        await act(world, "SNAPSHOT");
        const id = world.stack?.traversalId;
        await drain(world, { visits: 1 });
        const visit = await deliverNode(world, "aU");
        for (let step = 0; step < point && !visit.finished; step++) await world.step(visit);
        if (visit.finished) return;
        await update(world, { a: v("2") });
        await drain(world);
        await finish(world, visit);
        await settle(world, "UPDATE_COMPLETE");
        const data = await world.blobs.get(`snapshot/${STACK_ID}/${id}`);
        const tellsOfUpdate = data?.includes('"action":"UPDATE","status":"COMPLETE"') ?? false;
        expectThat(!tellsOfUpdate, `after ${point} steps the snapshot shows the update`);
      }
    },
  },
];
