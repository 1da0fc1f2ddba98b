/** Directed cases: each tells one danger, by name. They run alone (directed.test.ts) and against every mutant. */
import type { PendingMessage } from "#lib/adapters/memory/queue.ts";
import { present } from "#lib/errors.ts";
import {
  ask,
  aWorld,
  create,
  drain,
  expect,
  finish,
  runUntil,
  update,
  verify,
} from "../world/drive.ts";
import type { ResourceSpec, Spec } from "../world/spec.ts";
import type { Worker } from "../world/workers.ts";
import type { World } from "../world/world.ts";

export interface Case {
  readonly title: string;
  readonly run: () => Promise<void>;
}

export const v = (value: string, refers: Readonly<Record<string, string>> = {}): ResourceSpec => ({
  properties: { v: value },
  refers,
});
export const replaced = (
  value: string,
  refers: Readonly<Record<string, string>> = {},
): ResourceSpec => ({
  properties: { "v!": value },
  refers,
});

/** Layers of two, each of which waits for both of the layer before. */
const ladder = (layers: number, value: string): Spec => {
  const spec: Record<string, ResourceSpec> = {};
  for (let layer = 0; layer < layers; layer++) {
    const after = layer === 0 ? [] : [`x${layer - 1}`, `y${layer - 1}`];
    spec[`x${layer}`] = { properties: { v: value }, after };
    spec[`y${layer}`] = { properties: { v: value }, after };
  }
  return spec;
};

export const nodeName = (world: World, pending: PendingMessage): string => {
  const { message } = pending;
  if (message.type === "prepare_traversal") return "prepare";
  const graphs = world.store.dump().graphs;
  const node = graphs
    .flatMap((graph) => graph.nodes)
    .find((one) => one.resourceId === message.resourceId);
  return `${node?.name ?? "?"}${message.isUpdate ? "U" : "C"}`;
};

export const deliverNode = (world: World, name: string): Promise<Worker> =>
  world.deliver(
    present(
      world.deliverable().find((one) => nodeName(world, one) === name),
      `a message for ${name}`,
    ),
  );

const LAYERS = 10;
/** Ten layers cost 1,023 visits where done successors are sent again; a duplicate may cost a few. */
const DUPLICATE_VISITS_MAX = 8;

const duplicateInLadder = async (first: string, last: readonly string[], updates: boolean) => {
  const world = aWorld();
  await create(world, ladder(LAYERS, "1"));
  const isLast = (pending: PendingMessage) => last.includes(nodeName(world, pending));
  if (updates) {
    await drain(world);
    await update(world, ladder(LAYERS, "1"));
  }
  let duplicate: PendingMessage | undefined;
  const spy = (pending: PendingMessage) => {
    if (nodeName(world, pending) === first) duplicate ??= pending;
    return isLast(pending);
  };
  await drain(world, { hold: spy });
  world.queue.pending.push(present(duplicate, "a message to repeat"));
  const visits = await drain(world, { hold: isLast });
  expect(visits <= DUPLICATE_VISITS_MAX, `S21: one duplicate cost ${visits} visits`);
  await drain(world);
  verify(world, updates ? "UPDATE_COMPLETE" : "CREATE_COMPLETE");
};

export const waiting: Spec = { w: { type: "Sim::Waiting", properties: { v: "1" } } };

export const theRow = (world: World, name: string) =>
  present(
    world.rows.find((row) => row.name === name && row.action !== "DELETE"),
    `row ${name}`,
  );

const overtakenAfter = async (visits: number, inline: boolean): Promise<void> => {
  const world = aWorld({ inline });
  await create(world, { a: v("1"), b: v("1", { to: "a" }), c: replaced("1", { to: "b" }) });
  await drain(world);
  await update(world, { a: replaced("2"), b: v("2", { to: "a" }), c: replaced("2", { to: "b" }) });
  await drain(world, { visits });
  await update(world, { c: v("3"), b: v("3", { to: "c" }), d: v("1", { to: "b" }) });
  await drain(world);
  verify(world, "UPDATE_COMPLETE");
  await ask(world, world.act("DELETE"));
  await drain(world);
  verify(world, "DELETE_COMPLETE");
};

const OVERTAKEN_VISITS_MAX = 16;

const ringOfLeftovers = async (visits: number, ending: "DELETE" | "UPDATE"): Promise<void> => {
  const world = aWorld();
  await create(world, { a: v("1"), b: replaced("1", { to: "a" }) });
  await drain(world);
  const turned: Spec = { b: replaced("2"), a: v("2", { to: "b" }) };
  await update(world, turned);
  // The old b must still be there: its cleanup would be the first message after the new b.
  const isCleanup = (pending: PendingMessage) => nodeName(world, pending).endsWith("C");
  await drain(world, { visits, hold: isCleanup });
  await (ending === "DELETE" ? ask(world, world.act("DELETE")) : update(world, turned));
  await drain(world);
  verify(world, `${ending}_COMPLETE`);
};

export const DIRECTED: readonly Case[] = [
  {
    title: "P5, S21, T25: a duplicate in a ladder of updates is not multiplied",
    run: () => duplicateInLadder("x0U", [`x${LAYERS - 1}U`, `y${LAYERS - 1}U`], false),
  },
  {
    title:
      "P5, S21, T26: a duplicate in a ladder of cleanups that have nothing to do is not multiplied",
    run: () => duplicateInLadder(`x${LAYERS - 1}C`, ["x0C", "y0C"], true),
  },
  {
    title: "P1, L8: an update overtakes an update after any number of its visits",
    run: async () => {
      for (let visits = 0; visits < OVERTAKEN_VISITS_MAX; visits++) {
        await overtakenAfter(visits, false);
        await overtakenAfter(visits, true);
      }
    },
  },
  {
    title:
      "P2, S12, D12, case 12: leftovers that close a ring can be deleted and updated, by the ring rule",
    run: async () => {
      for (let visits = 0; visits < OVERTAKEN_VISITS_MAX; visits++) {
        await ringOfLeftovers(visits, "DELETE");
        await ringOfLeftovers(visits, "UPDATE");
      }
    },
  },
  {
    title: "P12, T39: a signal wakes its operation at once, not at the next poll",
    run: async () => {
      const world = aWorld();
      await create(world, waiting);
      await drain(world);
      await ask(world, world.signal(theRow(world, "w"), "COMPLETE"));
      await drain(world);
      verify(world, "CREATE_COMPLETE");
    },
  },
  {
    title: 'P3.4, T17: a signal that comes between looking and "not yet" is looked for again',
    run: async () => {
      const world = aWorld();
      await create(world, waiting);
      await drain(world);
      world.clock.advance(60_000);
      const poll = await world.deliver(present(world.deliverable()[0], "the poll"));
      await runUntil(world, poll, "blobs.get");
      await runUntil(world, poll, "store.writeResource");
      await ask(world, world.signal(theRow(world, "w"), "COMPLETE"));
      await drain(world);
      await finish(world, poll);
      await drain(world);
      verify(world, "CREATE_COMPLETE");
    },
  },
  {
    title:
      "P3.4, T20: an overtaken deployment is ended and run again in place, under a new generation",
    run: async () => {
      const world = aWorld();
      await create(world, waiting);
      await drain(world);
      const before = theRow(world, "w");
      await update(world, { w: { type: "Sim::Waiting", properties: { v: "2" } } });
      await drain(world);
      const after = theRow(world, "w");
      expect(after.id === before.id && after.generation === 2, "it was not repaired in place");
      expect(
        after.operation?.action === "CREATE",
        `${after.operation?.action}, never having completed`,
      );
      await ask(world, world.signal(before, "COMPLETE"));
      await drain(world);
      expect(
        theRow(world, "w").status === "IN_PROGRESS",
        "a late signal of the old generation counted",
      );
      await ask(world, world.signal(after, "COMPLETE"));
      await drain(world);
      verify(world, "UPDATE_COMPLETE");
    },
  },
  {
    title: "P3.4, L4, T19: a delete that waits for a dead agent ends as done at its deadline",
    run: async () => {
      const world = aWorld({ timeoutMins: 10 });
      await create(world, waiting);
      await drain(world);
      await ask(world, world.signal(theRow(world, "w"), "COMPLETE"));
      await drain(world);
      await ask(world, world.act("DELETE"));
      await drain(world);
      for (let minute = 0; minute < 11; minute++) {
        world.clock.advance(60_000);
        await drain(world);
      }
      await ask(world, world.act("DELETE"));
      await drain(world);
      verify(world, "DELETE_COMPLETE");
    },
  },
  {
    title:
      "P1, T2: suspend refuses updates until resume, a check in between changes nothing of that",
    run: async () => {
      const world = aWorld();
      await create(world, { a: v("1") });
      await drain(world);
      for (const action of ["SUSPEND", "CHECK"] as const) {
        await ask(world, world.act(action));
        await drain(world);
        verify(world, `${action}_COMPLETE`);
      }
      await update(world, { a: v("2") });
      expect(world.stack?.action === "CHECK", "an update of a suspended stack was accepted");
      await ask(world, world.act("RESUME"));
      await drain(world);
      await update(world, { a: v("2") });
      await drain(world);
      verify(world, "UPDATE_COMPLETE");
    },
  },
  {
    title: "P9: a provider that asks for a replacement in mid-operation gets one",
    run: async () => {
      const world = aWorld();
      const spec = (value: string): Spec => ({
        a: { type: "Sim::Refusing", properties: { v: value } },
        b: v("1", { to: "a" }),
      });
      await create(world, spec("1"));
      await drain(world);
      await update(world, spec("2"));
      await drain(world);
      verify(world, "UPDATE_COMPLETE");
    },
  },
  {
    title:
      "P7: a cleanup that fails ends the update FAILED, without a rollback, and its target is last_good",
    run: async () => {
      const world = aWorld({ disableRollback: false });
      await create(world, { a: v("1"), b: v("1") });
      await drain(world);
      await update(world, { a: v("2") });
      const isCleanup = (pending: PendingMessage) => nodeName(world, pending) === "bC";
      await drain(world, { hold: isCleanup });
      const cleanup = await world.deliver(
        present(world.deliverable().find(isCleanup), "cleanup of b"),
      );
      await runUntil(world, cleanup, "fakeProvider.delete");
      world.refuseNext = true;
      await finish(world, cleanup);
      await drain(world);
      verify(world, "UPDATE_FAILED");
      expect(world.stack?.lastGood === world.stack?.templateId, "last_good is not the target");
    },
  },
  {
    title:
      "D1, case 13: rollback goes to the last template that completed, twice and at rest too, and to nothing where none ever did",
    run: async () => {
      const world = aWorld();
      await create(world, { a: v("1") });
      await drain(world);
      await update(world, { a: v("2"), b: v("2", { to: "a" }) });
      await drain(world, { visits: 2 });
      await update(world, { a: v("3") });
      for (let time = 0; time < 2; time++) {
        await ask(world, world.act("ROLLBACK"));
        await drain(world);
        verify(world, "ROLLBACK_COMPLETE");
        expect(world.stack?.templateId === "template-1", "another target");
      }
      const calls = world.cloud.calls().length;
      await ask(world, world.act("ROLLBACK"));
      await drain(world);
      verify(world, "ROLLBACK_COMPLETE");
      expect(world.cloud.calls().length === calls, "a rollback at rest is not without effect");
      const unfinished = aWorld();
      await create(unfinished, { a: v("1"), b: v("1", { to: "a" }) });
      await drain(unfinished, { visits: 2 });
      await ask(unfinished, unfinished.act("ROLLBACK"));
      await drain(unfinished);
      verify(unfinished, "ROLLBACK_COMPLETE");
      expect(unfinished.cloud.objects().length === 0, "something is left of what never was good");
    },
  },
  {
    title:
      "P6: a chain is walked by one message where there is time, and each node is visited once",
    run: async () => {
      const world = aWorld({ inline: true });
      const spec: Record<string, ResourceSpec> = {};
      for (let at = 0; at < 20; at++) spec[`n${at}`] = v("1", at === 0 ? {} : { to: `n${at - 1}` });
      await create(world, spec);
      const delivered = await drain(world);
      verify(world, "CREATE_COMPLETE");
      expect(delivered === 2, `${delivered} messages, not the prepare and one visit`);
    },
  },
  {
    title: "S20: 300 into one goes through buckets, with two writes an edge",
    run: async () => {
      const world = aWorld();
      const spec: Record<string, ResourceSpec> = {};
      const after: string[] = [];
      for (let at = 0; at < 300; at++) {
        spec[`n${at}`] = v("1");
        after.push(`n${at}`);
      }
      spec["all"] = { properties: { v: "1" }, after };
      await create(world, spec);
      await drain(world);
      verify(world, "CREATE_COMPLETE");
      const points = world.store.dump().syncPoints;
      expect(
        points.every((point) => point.arrived.length <= 128),
        "a point grows with the fan-in",
      );
    },
  },
];
