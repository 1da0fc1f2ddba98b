/**
 * Runs one traversal of the real engine on the AWS adapters. This process replaces Lambda: it
 * handles batches of messages, and each visit continues inline as in a function.
 */
import { randomUUID } from "node:crypto";
import type { AwsConnection } from "#lib/adapters/aws/clients.ts";
import type { AwsAdapter, AwsPlace } from "#lib/adapters/aws/open-aws.ts";
import { type MemoryFakeProvider, memoryFakeProvider } from "#lib/adapters/memory/fake-provider.ts";
import { aesCipher } from "#lib/adapters/node/cipher.ts";
import { cryptoRandom, hmacSigner, uuidIds } from "#lib/adapters/node/platform.ts";
import { acceptTraversal, createFirstTraversal } from "#lib/convergence/traversal/traversal.ts";
import { Bug, present } from "#lib/errors.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Clock, Ports } from "#lib/ports/ports.ts";
import type { Queue } from "#lib/ports/queue.ts";
import { type ProvidedTypes, resourceTypes, withResourceTypes } from "#lib/resources/registry.ts";
import {
  EMPTY_TEMPLATE_ID,
  saveTemplate,
  type TemplateSource,
} from "#lib/stack/record/template-record.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { openCountedAws, type UsageNumbers } from "#test/aws/usage.ts";
import { drain, type Handled, together } from "./drain.ts";
import { type Graph, type Properties, templateOf } from "./graphs.ts";
import { openReceiver } from "./receiver.ts";
import { observeStore, type StreamInvocations } from "./stream.ts";
import { delayedSends, virtualClock } from "./virtual-time.ts";

const KEY_BYTES = 32;

export interface RunOptions {
  readonly deliveries?: number;
  readonly deletes?: boolean;
  readonly properties?: Properties;
  /** How long the provider works on a creation. With 0 its first answer is the result. */
  readonly waitMs?: number;
  readonly source?: TemplateSource;
  readonly provided?: ProvidedTypes;
}

export interface Run {
  readonly traversals: number;
  readonly usage: UsageNumbers;
  readonly engine: UsageNumbers;
  readonly handled: Handled;
  readonly streams: StreamInvocations;
  readonly stack: Stack;
  readonly effects: number;
}

interface Bench {
  readonly store: Ports["store"];
  readonly queue: Queue;
  readonly clock: Clock;
  readonly cloud: MemoryFakeProvider;
  readonly provided?: ProvidedTypes | undefined;
}

export const portsOn = (adapter: AwsAdapter, bench: Bench, waitMs: number): Ports => {
  const { cloud } = bench;
  const fakeProvider: MemoryFakeProvider = {
    ...cloud,
    create: (request) => cloud.create({ ...request, waitMs }),
  };
  return withResourceTypes(unboundPorts(adapter, bench), (engine) =>
    resourceTypes({ engine, random: cryptoRandom(), fakeProvider }, bench.provided),
  );
};

const unboundPorts = (
  adapter: AwsAdapter,
  { store, queue, clock }: Bench,
): Omit<Ports, "resourceTypes"> => ({
  store,
  softwareConfigs: adapter.softwareConfigs,
  queue,
  blobs: adapter.blobs,
  clock,
  ids: uuidIds(),
  signer: hmacSigner([{ kid: "cost", secret: new Uint8Array(KEY_BYTES) }]),
  cipher: aesCipher(new Uint8Array(KEY_BYTES)),
  uploads: adapter.uploads,
  publicUrl: "https://cost.example",
  retention: retentionOf(),
});

export const runTraversal = async (
  connection: AwsConnection,
  place: AwsPlace,
  graph: Graph,
  { deliveries = 1, deletes = false, properties, waitMs = 0, source, provided }: RunOptions = {},
): Promise<Run> => {
  const adapter = openCountedAws({ ...connection, ...place });
  const receiver = openReceiver(connection, place);
  const clock = virtualClock();
  const cloud = memoryFakeProvider(clock);
  const observed = observeStore({ ...adapter, clock, retention: retentionOf() }, uuidIds());
  const delayed = delayedSends(adapter.queue, clock);
  const bench = { store: observed.store, queue: delayed.queue, clock, cloud, provided };
  const ports = portsOn(adapter, bench, waitMs);
  const tenant = randomUUID().replaceAll("-", "");
  const [id, templateId] = [randomUUID(), randomUUID()];
  const template = source ?? templateOf(graph, properties);
  await saveTemplate(ports, tenant, id, templateId, template);
  const first = { tenant, id, name: "cost", description: "", templateId, tags: [] };
  await createFirstTraversal(ports, { ...first, timeoutMins: 60, disableRollback: true });

  const stackNow = async () => present(await adapter.store.getStack(tenant, id), "the stack");
  const converge = () =>
    drain({ ports, adapter, receiver, delayed, clock, deliveries }, async () => {
      return (await stackNow()).status !== "IN_PROGRESS";
    });
  let handled = await converge();
  if (deletes) {
    const target = { action: "DELETE", templateId: EMPTY_TEMPLATE_ID } as const;
    await acceptTraversal(ports, await stackNow(), target);
    handled = together(handled, await converge());
  }
  const engine = adapter.usage.read();
  const streams = await observed.flush();
  const usage = adapter.usage.read();
  const stack = await stackNow();
  adapter.close();
  receiver.close();
  if (stack.status !== "COMPLETE")
    throw new Bug(`${stack.action}_${stack.status}: ${stack.statusReason}`);
  return {
    traversals: deletes ? 2 : 1,
    usage: { ...usage, requests: { ...usage.requests, ...receiver.requests } },
    engine,
    handled,
    streams,
    stack,
    effects: cloud.calls().filter(({ effect }) => effect).length,
  };
};
