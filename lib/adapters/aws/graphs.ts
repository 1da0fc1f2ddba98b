/**
 * Graphs of traversals and their parts, in the Stacks table. Large records spill into S3
 * (spill.ts).
 */
import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { isJsonObject, parseJson } from "#lib/json.ts";
import { STACK_ACTIONS } from "#lib/model/action.ts";
import type { GraphPart, StoredGraph } from "#lib/model/graph.ts";
import type { Graphs } from "#lib/ports/store.ts";
import { graphCache, graphPartCache } from "../graph-cache.ts";
import { itemDoesNotExist } from "./conditions.ts";
import { bytes, ttlOf } from "./items/attributes.ts";
import { graphKey, graphPartKey } from "./keys.ts";
import type { Attributes, Item, Table } from "./table.ts";

const graphItem = z.object({ graph: bytes });

const fields = {
  stackId: z.string(),
  traversalId: z.string(),
  traversalNumber: z.int(),
  action: z.enum(STACK_ACTIONS),
  templateId: z.string(),
};

const nodeFields = {
  resourceId: z.string(),
  name: z.string(),
  isUpdate: z.boolean(),
  mints: z.boolean(),
  leftOut: z.optional(z.array(z.object({ id: z.string(), name: z.string() }))),
  heldBy: z.optional(z.array(z.string())),
};

const graphSchema = z.union([
  z.object({
    ...fields,
    nodes: z.array(
      z.object({ ...nodeFields, requires: z.array(z.int()), requiredBy: z.array(z.int()) }),
    ),
  }),
  z.object({
    ...fields,
    parts: z.object({
      build: z.string(),
      nodeCount: z.int(),
      rootCount: z.int(),
      updateRootCount: z.int(),
      hasCleanup: z.boolean(),
      starts: z.array(z.int()),
      directoryCount: z.int(),
    }),
  }),
]);

const isPosition = (value: unknown): boolean => value === null || Number.isInteger(value);

/**
 * A part has hundreds of positions, for which zod's record schema takes five times as long as
 * JSON.parse.
 */
const positions = z.custom<GraphPart["positions"]>(
  (value) =>
    isJsonObject(value) &&
    Object.values(value).every(
      (pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isPosition),
    ),
  "must be positions",
);

const partSchema = z.object({
  nodes: z.array(
    z.object({
      ...nodeFields,
      fanIn: z.int(),
      requiredBy: z.array(
        z.object({
          resourceId: z.string(),
          isUpdate: z.boolean(),
          at: z.int(),
          fanIn: z.int(),
          predecessor: z.int(),
        }),
      ),
      rootIndex: z.nullable(z.int()),
      updateRootIndex: z.nullable(z.int()),
    }),
  ),
  positions,
});

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
    const graph = graphSchema.parse(parseJson(json.toString("utf8")));
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
        const part = partSchema.parse(parseJson(json.toString("utf8")));
        return parts.keep([key.build, key.part], part, json.length);
      }),
  };
};
