/** The whole engine in one page, in memory. A visit is only delivered on request. */

import {
  browserIds,
  browserRandom,
  nobleCipher,
  nobleSigner,
} from "#lib/adapters/browser/noble.ts";
import { ENCRYPTION_KEY_BYTES, SIGNING_KEY_BYTES_MIN } from "#lib/adapters/local/crypto.ts";
import { memoryBlobs, memoryUploads } from "#lib/adapters/memory/blobs.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { memoryFakeProvider } from "#lib/adapters/memory/fake-provider.ts";
import { memoryReceivingQueue } from "#lib/adapters/memory/receiving-queue.ts";
import { memorySoftwareConfigStore } from "#lib/adapters/memory/software-config-store.ts";
import { memoryStore } from "#lib/adapters/memory/store.ts";
import { parseMessage } from "#lib/convergence/messages.ts";
import { eventsOfChange } from "#lib/engine/events/project-events.ts";
import { writeEvents } from "#lib/engine/events/write-events.ts";
import {
  deadLetterWork,
  handleMessage,
  type MessageWork,
  preparation,
  visitWork,
} from "#lib/engine/message-work.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ReceivableQueue } from "#lib/ports/queue.ts";
import { resourceTypes, withResourceTypes } from "#lib/resources/registry.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { withFaults } from "#lib/stepping/fake-provider-faults.ts";
import type { SteppedEngine } from "#lib/stepping/step-mode.ts";

/** Nothing listens at this URL: the page answers these requests itself. */
export const PAGE_URL = "http://playground.invalid";

const freshBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

const worksOf = (
  ports: Ports,
  remainingMs: () => number,
): Readonly<Record<ReceivableQueue, MessageWork>> => {
  const visit = visitWork(ports, { remainingMs });
  return {
    prepare: preparation(ports, { remainingMs }),
    check: visit,
    poll: visit,
    "dead-letter": deadLetterWork(ports),
  };
};

/** Works as the handlers on AWS do: a failed message is delivered again, and nothing is thrown. */
const handleWith =
  (ports: Ports, unexpected: (error: unknown) => void): SteppedEngine["handle"] =>
  async (queue, messages, limitMs) => {
    const end = performance.now() + limitMs;
    const works = worksOf(ports, () => end - performance.now());
    const failed = new Set<string>();
    for (const { messageId, body, receiveCount } of messages) {
      try {
        const done = await handleMessage(works[queue], parseMessage(body), receiveCount);
        if (!done.isHandled) failed.add(messageId);
      } catch (error) {
        unexpected(error);
        failed.add(messageId);
      }
    }
    return failed;
  };

export const openPageEngine = (
  start: number,
  unexpected: (error: unknown) => void,
): SteppedEngine => {
  const clock = memoryClock(start);
  const store = memoryStore();
  const queue = memoryReceivingQueue(clock);
  const faults = withFaults(memoryFakeProvider(clock), clock);
  const unbound = {
    store,
    softwareConfigs: memorySoftwareConfigStore(),
    queue,
    blobs: memoryBlobs(),
    uploads: memoryUploads(),
    clock,
    ids: browserIds(),
    signer: nobleSigner([{ kid: "page", secret: freshBytes(SIGNING_KEY_BYTES_MIN) }]),
    cipher: nobleCipher(freshBytes(ENCRYPTION_KEY_BYTES)),
    publicUrl: PAGE_URL,
    retention: retentionOf(),
  };
  const random = browserRandom();
  const ports = withResourceTypes(unbound, (engine) =>
    resourceTypes({ engine, random, fakeProvider: faults }),
  );
  const feed = async (): Promise<void> => {
    const changes = store.changes.splice(0);
    const events = changes.flatMap((change) => eventsOfChange(ports.ids, change, clock.now()));
    await writeEvents(ports, events);
  };
  return {
    ports,
    queue,
    clock,
    faults,
    feed,
    handle: handleWith(ports, unexpected),
    purgeExpired: store.purgeExpired,
    stacksNamed: (name) => store.dump().stacks.filter((stack) => stack.name === name),
    countSyncPoints: (traversalIds) =>
      store.dump().syncPoints.filter(({ key }) => traversalIds.includes(key.traversalId)).length,
  };
};
