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
import type { Ports } from "#lib/ports/ports.ts";
import { resourceTypes, withResourceTypes } from "#lib/resources/registry.ts";
import { retentionOf } from "#lib/stack/retention.ts";

export const memoryPorts = (): Ports => {
  const clock = memoryClock();
  const unbound: Omit<Ports, "resourceTypes"> = {
    store: memoryStore(),
    softwareConfigs: memorySoftwareConfigStore(),
    queue: memoryQueue(clock),
    blobs: memoryBlobs(),
    uploads: memoryUploads(),
    clock,
    ids: memoryIds(1),
    signer: memorySigner(),
    cipher: memoryCipher(),
    publicUrl: "http://robust.test",
    retention: retentionOf(),
  };
  return withResourceTypes(unbound, (engine) =>
    resourceTypes({ engine, random: memoryRandom(1), fakeProvider: memoryFakeProvider(clock) }),
  );
};
