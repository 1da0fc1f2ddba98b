/** Large graphs are stored in parts. A part has two nodes here, so that small graphs are large. */
import { present } from "#lib/errors.ts";
import {
  aStack,
  aWorld,
  create,
  deliverNode,
  deliverUntil,
  drain,
  finish,
  LEASE_PASSED_MS,
  redeliver,
  runUntil,
  settle,
  sweep,
  update,
  verify,
} from "../world/drive.ts";
import type { Spec } from "../world/spec.ts";
import { Violation } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { v } from "./specs.ts";

const PART_NODES = 2;

const on = (value: string, name: string) => ({ ...v(value), refers: { to: name } });
const chain = (value: string): Spec => ({
  a: v(value),
  b: on(value, "a"),
  c: on(value, "b"),
});

const isInParts = async (world: World): Promise<boolean> => {
  const { id, traversalId } = present(world.stack, "the stack");
  const graph = present(await world.store.getGraph(id, traversalId), "the graph");
  return "parts" in graph;
};

const expectParts = async (world: World, expected: boolean): Promise<void> => {
  if ((await isInParts(world)) === expected) return;
  throw new Violation(`the graph is ${expected ? "whole" : "in parts"}`);
};

/** Runs another prepare after `calls` port calls of the first one; false when that has ended. */
const raceOfPrepares = async (calls: number): Promise<boolean> => {
  const others = { a: v("1"), b: on("1", "a") };
  const world = await aStack({ gone: v("1"), ...others }, { partNodesMax: PART_NODES });
  await update(world, others);
  await drain(world, { hold: "goneC" });
  const deleting = await deliverUntil(world, "goneC", "fakeProvider.delete");
  await update(world, { a: v("2"), b: on("2", "a") });
  const [pending] = world.deliverable();
  const first = await world.deliver(present(pending, "the prepare"), true);
  for (let made = 0; made < calls && !first.finished; made++) await world.step(first);
  const isUnderWay = !first.finished;
  // With the first row gone, most nodes of the other graph have other positions.
  await finish(world, deleting);
  await finish(world, await deliverNode(world, "prepare"));
  await finish(world, first);
  await expectParts(world, true);
  await drain(world);
  world.clock.advance(LEASE_PASSED_MS);
  await settle(world, "UPDATE_COMPLETE");
  return isUnderWay;
};

export const DIRECTED_GRAPH_PARTS: readonly Case[] = [
  {
    title: "P2: a prepare dies between the parts of its graph and the header, and runs again",
    run: async () => {
      const world = aWorld({ partNodesMax: PART_NODES });
      await create(world, chain("1"));
      const preparing = await deliverNode(world, "prepare");
      await runUntil(world, preparing, "store.putGraph");
      await world.crash(preparing, "before");
      await redeliver(world);
      await expectParts(world, true);
      verify(world, "CREATE_COMPLETE");
    },
  },
  {
    title: "P2: of two prepares that see other rows, the parts of the first header count alone",
    run: async () => {
      for (let calls = 1; await raceOfPrepares(calls); calls++);
    },
  },
  {
    title: "P11: the sweeper finds the lost visit of a node in any part",
    run: async () => {
      for (const lost of ["bU", "cU", "aC"]) {
        const world = await aStack(chain("1"), { partNodesMax: PART_NODES });
        await update(world, { a: v("2"), b: on("2", "a"), c: on("2", "b") });
        await drain(world, { hold: lost });
        for (const pending of world.deliverable()) world.drop(pending);
        world.clock.advance(LEASE_PASSED_MS);
        await sweep(world);
        await expectParts(world, true);
        await settle(world, "UPDATE_COMPLETE");
      }
    },
  },
  {
    title:
      "P2: after an upgrade, a traversal whose graph is whole goes on, and is overtaken by parts",
    run: async () => {
      for (const visits of [1, 2, 3]) {
        const world = aWorld();
        await create(world, chain("1"));
        await drain(world, { visits });
        await expectParts(world, false);
        world.partNodesMax = PART_NODES;
        await update(world, { ...chain("2"), d: v("1") });
        await settle(world, "UPDATE_COMPLETE");
        await expectParts(world, true);
      }
    },
  },
];
