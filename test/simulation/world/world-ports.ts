/** The ports of a simulated world: at every call a worker can be delayed or die. */
import {
  memoryCipher,
  memoryIds,
  memoryRandom,
  memorySigner,
} from "#lib/adapters/memory/seeded.ts";
import { memorySoftwareConfigStore } from "#lib/adapters/memory/software-config-store.ts";
import { memoryUploads } from "#lib/adapters/memory/uploads.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { simulatedTypes } from "./types.ts";
import { parked } from "./workers.ts";

type Watched = Pick<Ports, "store" | "fakeProvider" | "queue" | "blobs" | "clock"> & {
  /** Whether the graph is stored. It never changes, so reading it is no step. */
  readonly isStoredGraph: (traversalId: string) => boolean;
};

export const worldPorts = (seed: number, watched: Watched): Ports => ({
  store: parked(
    "store",
    watched.store,
    (method, [, traversalId]) =>
      method === "getGraph" && watched.isStoredGraph(String(traversalId)),
  ),
  softwareConfigs: memorySoftwareConfigStore(),
  queue: parked("queue", watched.queue),
  blobs: parked(
    "blobs",
    watched.blobs,
    (method, [key]) => method === "get" && String(key).startsWith("template/"),
  ),
  clock: watched.clock,
  ids: memoryIds(seed),
  random: memoryRandom(seed),
  signer: memorySigner(),
  cipher: memoryCipher(),
  uploads: memoryUploads(),
  fakeProvider: parked("fakeProvider", watched.fakeProvider),
  resourceTypes: simulatedTypes,
  publicUrl: "http://simulated",
  revision: "simulated",
});
