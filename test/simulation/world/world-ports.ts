/** The ports of a simulated world: at every call a worker can be delayed or die. */
import { memoryCipher, memoryIds, memorySigner } from "#lib/adapters/memory/seeded.ts";
import { memorySoftwareConfigStore } from "#lib/adapters/memory/software-config-store.ts";
import { memoryUploads } from "#lib/adapters/memory/uploads.ts";
import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { withResourceTypes } from "#lib/resources/bind-types.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { simulatedTypes } from "./types.ts";
import { parked } from "./workers.ts";

type Watched = Pick<Ports, "store" | "queue" | "blobs" | "clock"> & {
  readonly fakeProvider: FakeProvider;
  /** Whether the graph is stored. It and its parts never change, so reading them is no step. */
  readonly isStoredGraph: (traversalId: string) => boolean;
};

export const worldPorts = (seed: number, watched: Watched): Ports => {
  const provider = parked("fakeProvider", watched.fakeProvider);
  return withResourceTypes(enginePorts(seed, watched), (engine) =>
    simulatedTypes({ engine, provider, blobs: engine.blobs }),
  );
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
  ids: memoryIds(seed),
  signer: memorySigner(),
  cipher: memoryCipher(),
  uploads: memoryUploads(),
  publicUrl: "http://simulated",
  retention: retentionOf(),
});
