/**
 * Graphs and their parts never change, so a worker keeps the parsed objects, and all visits share
 * them.
 */
import { LRUCache } from "lru-cache";
import { CallsUnderWay } from "#lib/calls-under-way.ts";
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
