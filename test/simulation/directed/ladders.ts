/**
 * The work of a traversal is bounded: duplicates are not multiplied, and no record grows with the
 * fan-in.
 */
import type { PendingMessage } from "#lib/adapters/memory/queue.ts";
import { present } from "#lib/errors.ts";
import { aWorld, create, drain, fullUpdate, nodeName, settle } from "../world/drive.ts";
import type { ResourceSpec, Spec } from "../world/spec.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import type { Case } from "./case.ts";
import { v } from "./specs.ts";

const ladder = (layers: number, value: string): Spec => {
  const spec: Record<string, ResourceSpec> = {};
  for (let layer = 0; layer < layers; layer++) {
    const after = layer === 0 ? [] : [`x${layer - 1}`, `y${layer - 1}`];
    spec[`x${layer}`] = { properties: { v: value }, after };
    spec[`y${layer}`] = { properties: { v: value }, after };
  }
  return spec;
};

const LAYERS = 10;
/**
 * Ten layers would cost 1,023 visits if each visit sent messages to done successors again. A
 * duplicate may cost a few visits.
 */
const DUPLICATE_VISITS_MAX = 8;

const duplicateInLadder = async (first: string, last: readonly string[], updates: boolean) => {
  const world = aWorld();
  await create(world, ladder(LAYERS, "1"));
  const isLast = (pending: PendingMessage) => last.includes(nodeName(world, pending));
  if (updates) {
    await drain(world);
    await fullUpdate(world, ladder(LAYERS, "1"));
  }
  let duplicate: PendingMessage | undefined;
  const spy = (pending: PendingMessage) => {
    if (nodeName(world, pending) === first) duplicate ??= pending;
    return isLast(pending);
  };
  await drain(world, { hold: spy });
  world.queue.pending.push(present(duplicate, "a message to repeat"));
  const visits = await drain(world, { hold: isLast });
  expectThat(visits <= DUPLICATE_VISITS_MAX, `S21: one duplicate cost ${visits} visits`);
  await settle(world, updates ? "UPDATE_COMPLETE" : "CREATE_COMPLETE");
};

export const DIRECTED_LADDERS: readonly Case[] = [
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
    title: "P6: one message walks through a chain if there is time, and visits each node once",
    run: async () => {
      const world = aWorld({ inline: true });
      const spec: Record<string, ResourceSpec> = {};
      for (let at = 0; at < 20; at++) spec[`n${at}`] = v("1", at === 0 ? {} : { to: `n${at - 1}` });
      await create(world, spec);
      const delivered = await settle(world, "CREATE_COMPLETE");
      expectEqual("deliveries", delivered, 2);
    },
  },
  {
    title: "S20: a fan-in of 300 goes through buckets, with two writes an edge",
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
      await settle(world, "CREATE_COMPLETE");
      const points = world.store.dump().syncPoints;
      expectThat(
        points.every((point) => point.arrived.length <= 128),
        "a point grows with the fan-in",
      );
    },
  },
];
