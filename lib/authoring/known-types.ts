/** The types of Hearth with their schemas, for those who make nothing of them. Needs no host. */
import { memoryBlobs } from "#lib/adapters/memory/blobs.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { memoryFakeProvider } from "#lib/adapters/memory/fake-provider.ts";
import { memoryQueue } from "#lib/adapters/memory/queue.ts";
import {
  memoryCipher,
  memoryIds,
  memoryRandom,
  memorySigner,
} from "#lib/adapters/memory/seeded.ts";
import { memorySoftwareConfigStore } from "#lib/adapters/memory/software-config-store.ts";
import { memoryStore } from "#lib/adapters/memory/store.ts";
import { memoryUploads } from "#lib/adapters/memory/uploads.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { builtInTypes } from "#lib/resources/registry.ts";
import { retentionOf } from "#lib/stack/retention.ts";

const SEED = 1;

/** Nothing is ever called: a type only wants to be bound. */
const unusedPorts = (): Ports => {
  const clock = memoryClock();
  return {
    store: memoryStore(),
    softwareConfigs: memorySoftwareConfigStore(),
    queue: memoryQueue(clock),
    blobs: memoryBlobs(),
    uploads: memoryUploads(),
    clock,
    ids: memoryIds(SEED),
    signer: memorySigner(),
    cipher: memoryCipher(),
    publicUrl: "http://localhost",
    retention: retentionOf(),
    resourceTypes: { get: async () => null, names: () => [] },
  };
};

/** Sorted by name, with the hidden ones. */
export const knownTypes = (): readonly ResourceType[] => {
  const engine = unusedPorts();
  const fakeProvider = memoryFakeProvider(engine.clock);
  const types = builtInTypes({ engine, random: memoryRandom(SEED), fakeProvider });
  return [...types.values()].toSorted((one, other) => (one.type < other.type ? -1 : 1));
};
