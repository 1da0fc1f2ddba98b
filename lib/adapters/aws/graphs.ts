/** The graphs of traversals, compressed, in the Stacks table. A large one spills (spill.ts). */
import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { parseJson } from "#lib/json.ts";
import { STACK_ACTIONS } from "#lib/model/action.ts";
import type { ConvergenceGraph } from "#lib/model/graph.ts";
import type { Graphs } from "#lib/ports/store.ts";
import { graphCache } from "../graph-cache.ts";
import { itemDoesNotExist } from "./conditions/item-clauses.ts";
import { bytes } from "./items/attributes.ts";
import { graphKey } from "./keys.ts";
import type { Item, Table } from "./table.ts";
import { ttlOf } from "./ttl.ts";

const graphItem = z.object({ graph: bytes });

const graphSchema = z.object({
  stackId: z.string(),
  traversalId: z.string(),
  traversalNumber: z.int(),
  action: z.enum(STACK_ACTIONS),
  templateId: z.string(),
  nodes: z.array(
    z.object({
      resourceId: z.string(),
      name: z.string(),
      isUpdate: z.boolean(),
      requires: z.array(z.int()),
      requiredBy: z.array(z.int()),
      mints: z.boolean(),
      leftOut: z.optional(z.array(z.object({ id: z.string(), name: z.string() }))),
      heldBy: z.optional(z.array(z.string())),
    }),
  ),
});

export const dynamoGraphs = (table: Table): Graphs => {
  const cache = graphCache();
  const keepStored = (item: Item): ConvergenceGraph => {
    const json = gunzipSync(graphItem.parse(item).graph);
    return cache.keep(graphSchema.parse(parseJson(json.toString("utf8"))), json.length);
  };
  return {
    putGraph: async (graph, expiresAt) => {
      const key = graphKey(graph.stackId, graph.traversalId);
      const json = Buffer.from(JSON.stringify(graph));
      const attributes = {
        ...z.encode(graphItem, { graph: gzipSync(json) }),
        ...ttlOf(expiresAt),
      };
      const write = await table.put(key, attributes, [itemDoesNotExist("pk")]);
      return write.written || write.item === null
        ? cache.keep(graph, json.length)
        : keepStored(write.item);
    },
    getGraph: async (stackId, traversalId) => {
      const cached = cache.get(stackId, traversalId);
      if (cached) return cached;
      const item = await table.get(graphKey(stackId, traversalId));
      return item && keepStored(item);
    },
  };
};
