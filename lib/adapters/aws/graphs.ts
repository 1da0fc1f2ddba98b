/** The graphs of traversals, compressed, in the Stacks table; a large one spills as every large value does. */
import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { STACK_ACTIONS } from "#lib/model/action.ts";
import type { ConvergenceGraph } from "#lib/model/graph.ts";
import type { Store } from "#lib/ports/store.ts";
import { itemDoesNotExist } from "./conditions/item-clauses.ts";
import { bytes } from "./items/attributes.ts";
import { graphKey } from "./keys.ts";
import type { Item, Table } from "./table.ts";

const CACHED_GRAPHS_MAX = 16;

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
    }),
  ),
});

const decode = (item: Item): ConvergenceGraph =>
  graphSchema.parse(JSON.parse(gunzipSync(graphItem.parse(item).graph).toString("utf8")));

/** Graphs never change, so that the parsed ones are kept: every visit of a traversal gets the same object. */
export const dynamoGraphs = (table: Table): Pick<Store, "putGraph" | "getGraph"> => {
  const cache = new Map<string, ConvergenceGraph>();
  const keep = (graph: ConvergenceGraph): ConvergenceGraph => {
    const key = `${graph.stackId}/${graph.traversalId}`;
    cache.delete(key);
    cache.set(key, graph);
    for (const oldest of cache.keys()) {
      if (cache.size <= CACHED_GRAPHS_MAX) break;
      cache.delete(oldest);
    }
    return graph;
  };

  return {
    putGraph: async (graph) => {
      const key = graphKey(graph.stackId, graph.traversalId);
      const attributes = z.encode(graphItem, { graph: gzipSync(JSON.stringify(graph)) });
      const write = await table.put(key, attributes, [itemDoesNotExist("pk")]);
      return keep(write.written || write.item === null ? graph : decode(write.item));
    },
    getGraph: async (stackId, traversalId) => {
      const cached = cache.get(`${stackId}/${traversalId}`);
      if (cached) return keep(cached);
      const item = await table.get(graphKey(stackId, traversalId));
      return item && keep(decode(item));
    },
  };
};
