/** The resource types of this version without a host. Nothing can be made with them. */
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
import type { AssessPorts } from "#lib/authoring/assess.ts";
import { withResourceTypes } from "#lib/resources/bind-types.ts";
import { resourceTypes } from "#lib/resources/registry.ts";
import { retentionOf } from "#lib/stack/retention.ts";

const SEED = 1;

export const localTypes = (): AssessPorts => {
  const clock = memoryClock();
  return withResourceTypes(
    {
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
    (engine) =>
      resourceTypes({
        engine,
        random: memoryRandom(SEED),
        fakeProvider: memoryFakeProvider(clock),
      }),
  );
};
