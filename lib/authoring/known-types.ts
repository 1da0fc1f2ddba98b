import { memoryBlobs, memoryUploads } from "#lib/adapters/memory/blobs.ts";
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
import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import type { Ports, Random } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { builtInTypes } from "#lib/resources/registry.ts";
import { retentionOf } from "#lib/stack/retention.ts";

/** Sorted by name, including hidden types. Nothing calls their handlers. */
export const knownTypes = (): readonly ResourceType[] => {
  const { ports, ...backEnds } = unusedBackEnds();
  const engine = { ...ports, resourceTypes: { get: async () => null, names: () => [] } };
  const types = builtInTypes({ engine, ...backEnds });
  return [...types.values()].toSorted((one, other) => (one.type < other.type ? -1 : 1));
};

const SEED = 1;

export interface UnusedBackEnds {
  readonly ports: Omit<Ports, "resourceTypes">;
  readonly random: Random;
  readonly fakeProvider: FakeProvider;
}

/** Ports for programs that only read the types' schemas. They work, but nothing is ever made. */
export const unusedBackEnds = (): UnusedBackEnds => {
  const clock = memoryClock();
  return {
    ports: {
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
    },
    random: memoryRandom(SEED),
    fakeProvider: memoryFakeProvider(clock),
  };
};
