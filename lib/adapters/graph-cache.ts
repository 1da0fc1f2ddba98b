/**
 * Graphs and their parts as JSON. They never change, so a worker keeps the parsed objects, and all
 * visits share them.
 */
import { LRUCache } from "lru-cache";
import * as z from "zod";
import { CallsUnderWay } from "#lib/calls-under-way.ts";
import { isJsonObject, parseJson } from "#lib/json.ts";
import { STACK_ACTIONS } from "#lib/model/action.ts";
import type { GraphPart, StoredGraph } from "#lib/model/graph.ts";

/** Measured as JSON. The parsed objects need about three times as much memory. */
export const CACHED_GRAPHS_BYTES_MAX = 8 * 1024 * 1024;
export const CACHED_GRAPH_PARTS_BYTES_MAX = 24 * 1024 * 1024;

export interface RecordCache<Stored> {
  get(...key: readonly string[]): Stored | null;
  keep(key: readonly string[], stored: Stored, bytes: number): Stored;
  /**
   * Returns the cached record, or reads it with `load`. The visits of a batch begin together and
   * need the same records, so they share a read. If a shared read finds nothing, it may have been
   * too early, so this caller reads again.
   */
  getOr(key: readonly string[], load: () => Promise<Stored | null>): Promise<Stored | null>;
}

const recordCache = <Stored extends object>(bytesMax: number): RecordCache<Stored> => {
  const records = new LRUCache<string, Stored>({ maxSize: bytesMax });
  const loading = new CallsUnderWay<Stored | null>();
  const nameOf = (key: readonly string[]): string => key.join("/");
  return {
    get: (...key) => records.get(nameOf(key)) ?? null,
    getOr: async (key, load) => {
      const name = nameOf(key);
      const begun = loading.get(name);
      const found = records.get(name) ?? (begun === undefined ? null : await begun);
      return found ?? loading.share(name, load);
    },
    keep: (key, stored, bytes) => {
      // A record that is larger than the cache is still kept, because its many visits need it most.
      records.set(nameOf(key), stored, { size: Math.min(bytes, bytesMax) });
      return stored;
    },
  };
};

export const graphCache = (): RecordCache<StoredGraph> => recordCache(CACHED_GRAPHS_BYTES_MAX);

export const graphPartCache = (
  bytesMax: number = CACHED_GRAPH_PARTS_BYTES_MAX,
): RecordCache<GraphPart> => recordCache(bytesMax);

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

export const parseGraph = (json: string): StoredGraph => graphSchema.parse(parseJson(json));

export const parseGraphPart = (json: string): GraphPart => partSchema.parse(parseJson(json));
