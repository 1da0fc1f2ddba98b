import { memoryUploads } from "#lib/adapters/memory/blobs.ts";
import { memoryCipher, memoryIds, memorySigner } from "#lib/adapters/memory/seeded.ts";
import { memorySoftwareConfigStore } from "#lib/adapters/memory/software-config-store.ts";
import { spreadId } from "#lib/model/row-partitions.ts";
import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import type { Ids, Ports } from "#lib/ports/ports.ts";
import { withResourceTypes } from "#lib/resources/registry.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { simulatedTypes } from "./types.ts";
import { parked } from "./workers.ts";

type Watched = Pick<Ports, "store" | "queue" | "blobs" | "clock"> & {
  readonly fakeProvider: FakeProvider;
  /** Whether the graph is stored. Graphs and their parts never change, so a read is no step. */
  readonly isStoredGraph: (traversalId: string) => boolean;
  readonly spreadsRows: boolean;
  readonly life: () => number;
};

export const worldPorts = (seed: number, watched: Watched): Ports => {
  const provider = parked("fakeProvider", watched.fakeProvider);
  const ports = withResourceTypes(enginePorts(seed, watched), (engine) =>
    simulatedTypes({ engine, provider, blobs: engine.blobs }),
  );
  return Object.defineProperty(ports, "life", { get: watched.life });
};

/** An id is a hash, so half of them end with such a digit. */
const EVERY_SECOND = /[0-7]$/;

const spreadingIds = (seed: number): Ids => {
  const ids = memoryIds(seed);
  return {
    ...ids,
    derive: (kind, ...parts) => {
      const id = ids.derive(kind, ...parts);
      return kind === "row" && EVERY_SECOND.test(id) ? spreadId(id) : id;
    },
  };
};

const enginePorts = (seed: number, watched: Watched): Omit<Ports, "resourceTypes"> => ({
  store: parked(
    "store",
    watched.store,
    (method, [, traversalId]) =>
      method === "getGraphPart" ||
      (method === "getGraph" && watched.isStoredGraph(String(traversalId))),
  ),
  softwareConfigs: memorySoftwareConfigStore(),
  queue: parked("queue", watched.queue),
  blobs: parked(
    "blobs",
    watched.blobs,
    (method, [key]) => method === "get" && String(key).startsWith("template/"),
  ),
  clock: watched.clock,
  ids: watched.spreadsRows ? spreadingIds(seed) : memoryIds(seed),
  signer: memorySigner(),
  cipher: memoryCipher(),
  uploads: memoryUploads(),
  publicUrl: "http://simulated",
  retention: retentionOf(),
});
