/** The work of a traversal is bounded: duplicates are not multiplied, and fan-in does not grow a record. */
import type { PendingMessage } from "#lib/adapters/memory/queue.ts";
import { present } from "#lib/errors.ts";
import { aWorld, create, drain, nodeName, settle, update } from "../world/drive.ts";
import type { ResourceSpec, Spec } from "../world/spec.ts";
import { expectThat } from "../world/violation.ts";
import type { Case } from "./case.ts";
import { v } from "./specs.ts";

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
    title:
      "P6: a chain is walked by one message where there is time, and each node is visited once",
    run: async () => {
      const world = aWorld({ inline: true });
      const spec: Record<string, ResourceSpec> = {};
      for (let at = 0; at < 20; at++) spec[`n${at}`] = v("1", at === 0 ? {} : { to: `n${at - 1}` });
      await create(world, spec);
      const delivered = await settle(world, "CREATE_COMPLETE");
      expectThat(delivered === 2, `${delivered} messages, not the prepare and one visit`);
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
      await settle(world, "CREATE_COMPLETE");
      const points = world.store.dump().syncPoints;
      expectThat(
        points.every((point) => point.arrived.length <= 128),
        "a point grows with the fan-in",
      );
    },
  },
];
