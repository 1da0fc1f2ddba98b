/**
 * Graphs of traversals and their parts, in the Stacks table. Large records spill into S3
 * (spill.ts).
 */
import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import type { GraphPart, StoredGraph } from "#lib/model/graph.ts";
import type { Graphs } from "#lib/ports/store.ts";
import { graphCache, graphPartCache, parseGraph, parseGraphPart } from "../graph-cache.ts";
import { itemDoesNotExist } from "./conditions.ts";
import { bytes, ttlOf } from "./items/attributes.ts";
import { graphKey, graphPartKey } from "./keys.ts";
import type { Attributes, Item, Table } from "./table.ts";

const graphItem = z.object({ graph: bytes });

interface Encoded {
  readonly attributes: Attributes;
  readonly bytes: number;
}

const encoded = (record: StoredGraph | GraphPart, expiresAt: number): Encoded => {
  const json = Buffer.from(JSON.stringify(record));
  return {
    attributes: { ...z.encode(graphItem, { graph: gzipSync(json) }), ...ttlOf(expiresAt) },
    bytes: json.length,
  };
};

const jsonOf = (item: Item): Buffer => gunzipSync(graphItem.parse(item).graph);

export const dynamoGraphs = (table: Table): Graphs => {
  const graphs = graphCache();
  const parts = graphPartCache();
  const keepStored = (item: Item): StoredGraph => {
    const json = jsonOf(item);
    const graph = parseGraph(json.toString("utf8"));
    return graphs.keep([graph.stackId, graph.traversalId], graph, json.length);
  };
  return {
    putGraph: async (graph, expiresAt) => {
      const { stackId, traversalId } = graph;
      const { attributes, bytes: length } = encoded(graph, expiresAt);
      const key = graphKey(stackId, traversalId);
      const write = await table.put(key, attributes, [itemDoesNotExist("pk")]);
      return write.written || write.item === null
        ? graphs.keep([stackId, traversalId], graph, length)
        : keepStored(write.item);
    },
    getGraph: (stackId, traversalId) =>
      graphs.getOr([stackId, traversalId], async () => {
        const item = await table.get(graphKey(stackId, traversalId));
        return item && keepStored(item);
      }),
    putGraphPart: async (key, part, expiresAt) => {
      const { attributes, bytes: length } = encoded(part, expiresAt);
      await table.put(graphPartKey(key), attributes, [itemDoesNotExist("pk")]);
      parts.keep([key.build, key.part], part, length);
    },
    getGraphPart: (key) =>
      parts.getOr([key.build, key.part], async () => {
        const item = await table.get(graphPartKey(key));
        if (item === null) return null;
        const json = jsonOf(item);
        const part = parseGraphPart(json.toString("utf8"));
        return parts.keep([key.build, key.part], part, json.length);
      }),
  };
};
