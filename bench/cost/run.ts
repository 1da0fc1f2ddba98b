/**
 * Runs one traversal of the real engine on the AWS adapters. This process takes Lambda's place: it
 * handles batches of up to ten messages, and each visit goes on inline as in a function.
 */
import { randomUUID } from "node:crypto";
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { AwsConnection } from "#lib/adapters/aws/clients.ts";
import type { AwsPlace } from "#lib/adapters/aws/open-aws.ts";
import { type MemoryFakeProvider, memoryFakeProvider } from "#lib/adapters/memory/fake-provider.ts";
import { aesCipher } from "#lib/adapters/node/cipher.ts";
import { cryptoRandom, uuidIds } from "#lib/adapters/node/platform.ts";
import { hmacSigner } from "#lib/adapters/node/signer.ts";
import { checkResource } from "#lib/convergence/converger.ts";
import { parseMessage } from "#lib/convergence/messages.ts";
import { prepareTraversal } from "#lib/convergence/prepare.ts";
import { acceptTraversal, createFirstTraversal } from "#lib/convergence/traversal.ts";
import { Bug, present } from "#lib/errors.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Clock } from "#lib/ports/clock.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { QueueName } from "#lib/ports/queue.ts";
import { withResourceTypes } from "#lib/resources/bind-types.ts";
import { resourceTypes } from "#lib/resources/registry.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { EMPTY_TEMPLATE_ID, saveTemplate } from "#lib/stack/template-record.ts";
import type { UsageNumbers } from "#test/aws/usage.ts";
import { type CountedAws, openCountedAws } from "#test/aws/usage.ts";
import { type Graph, templateOf } from "./graphs.ts";
import { observeStore } from "./stream.ts";

const BATCH_MAX = 10;
/** Far above any batch, so that a slow one does not come twice. */
const INVISIBLE_SECONDS = 3_600;
const INVOCATION_MS = 60_000;
const EMPTY_ROUNDS_MAX = 20;
const QUEUES = ["prepare", "check", "poll"] as const satisfies readonly QueueName[];
const KEY_BYTES = 32;

export interface RunOptions {
  /** How often each message is delivered. */
  readonly deliveries?: number;
  /** Deletes the stack after its creation. The counts are of both. */
  readonly deletes?: boolean;
}

export interface Run {
  readonly usage: UsageNumbers;
  readonly invocations: number;
  /** The messages that these invocations handled. */
  readonly messages: number;
  readonly eventInvocations: number;
  readonly stack: Stack;
  /** Provider calls that had an effect. */
  readonly effects: number;
  readonly seconds: number;
}

const portsOn = (
  store: Ports["store"],
  adapter: CountedAws,
  clock: Clock,
  fakeProvider: MemoryFakeProvider,
): Ports =>
  withResourceTypes(unboundPorts(store, adapter, clock), (engine) =>
    resourceTypes({ engine, random: cryptoRandom(), fakeProvider }),
  );

const unboundPorts = (
  store: Ports["store"],
  adapter: CountedAws,
  clock: Clock,
): Omit<Ports, "resourceTypes"> => ({
  store,
  softwareConfigs: adapter.softwareConfigs,
  queue: adapter.queue,
  blobs: adapter.blobs,
  clock,
  ids: uuidIds(),
  signer: hmacSigner([{ kid: "cost", secret: new Uint8Array(KEY_BYTES) }]),
  cipher: aesCipher(new Uint8Array(KEY_BYTES)),
  uploads: adapter.uploads,
  publicUrl: "https://cost.example",
  retention: retentionOf(),
});

/**
 * Receives messages and counts its requests. It does not count empty receives: they are no
 * traversal's cost.
 */
const openReceiver = (connection: AwsConnection, place: AwsPlace) => {
  const { endpoint, ...options } = connection;
  const client = new SQSClient({
    ...options,
    ...(endpoint && { endpoint: typeof endpoint === "string" ? endpoint : endpoint.sqs }),
  });
  const requests = { "sqs ReceiveMessage": 0, "sqs DeleteMessageBatch": 0 };
  const receive = async (queue: QueueName): Promise<readonly Message[]> => {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: place.queues[queue],
        MaxNumberOfMessages: BATCH_MAX,
        VisibilityTimeout: INVISIBLE_SECONDS,
      }),
    );
    if (Messages.length > 0) requests["sqs ReceiveMessage"]++;
    return Messages;
  };
  const remove = async (queue: QueueName, messages: readonly Message[]): Promise<void> => {
    const Entries = messages.map(({ ReceiptHandle }, at) => ({ Id: String(at), ReceiptHandle }));
    await client.send(new DeleteMessageBatchCommand({ QueueUrl: place.queues[queue], Entries }));
    requests["sqs DeleteMessageBatch"]++;
  };
  return { receive, remove, requests, close: () => client.destroy() };
};

const handle = async (ports: Ports, body: string): Promise<string> => {
  const message = parseMessage(body);
  return message.type === "prepare_traversal"
    ? prepareTraversal(ports, message)
    : checkResource(ports, message, { remainingMs: () => INVOCATION_MS });
};

/** Returns when the traversal has ended and the queues are empty. */
const drain = async (
  ports: Ports,
  receiver: ReturnType<typeof openReceiver>,
  deliveries: number,
  hasEnded: () => Promise<boolean>,
): Promise<Pick<Run, "invocations" | "messages">> => {
  const counts = { invocations: 0, messages: 0 };
  for (let empty = 1; empty < EMPTY_ROUNDS_MAX; empty++) {
    for (const queue of QUEUES) {
      const messages = await receiver.receive(queue);
      if (messages.length === 0) continue;
      empty = 0;
      counts.invocations++;
      counts.messages += messages.length;
      const bodies = messages.flatMap(({ Body = "" }) => Array<string>(deliveries).fill(Body));
      await Promise.all(bodies.map((body) => handle(ports, body)));
      await receiver.remove(queue, messages);
    }
    if (empty > 0 && (await hasEnded())) break;
  }
  return counts;
};

export const runTraversal = async (
  connection: AwsConnection,
  place: AwsPlace,
  graph: Graph,
  { deliveries = 1, deletes = false }: RunOptions = {},
): Promise<Run> => {
  const startedAt = performance.now();
  const adapter = openCountedAws({ ...connection, ...place });
  const receiver = openReceiver(connection, place);
  // It stands still: a slow machine must not end a visit's inline chain, which costs a message.
  const now = Date.now();
  const clock: Clock = { now: () => now };
  const cloud = memoryFakeProvider(clock);
  const retention = retentionOf();
  const observed = observeStore({ ...adapter, clock, retention }, uuidIds());
  const ports = portsOn(observed.store, adapter, clock, cloud);
  const tenant = randomUUID().replaceAll("-", "");
  const [id, templateId] = [randomUUID(), randomUUID()];
  await saveTemplate(ports, tenant, id, templateId, templateOf(graph));
  const first = { tenant, id, name: "cost", description: "", templateId, tags: [] };
  await createFirstTraversal(ports, { ...first, timeoutMins: 60, disableRollback: true });

  const stackNow = async () => present(await adapter.store.getStack(tenant, id), "the stack");
  const converge = () =>
    drain(ports, receiver, deliveries, async () => (await stackNow()).status !== "IN_PROGRESS");
  const counts = [await converge()];
  if (deletes) {
    const target = { action: "DELETE", templateId: EMPTY_TEMPLATE_ID } as const;
    await acceptTraversal(ports, await stackNow(), target);
    counts.push(await converge());
  }
  const eventInvocations = await observed.flush();
  const usage = adapter.usage.read();
  const stack = await stackNow();
  adapter.close();
  receiver.close();
  if (stack.status !== "COMPLETE")
    throw new Bug(`${stack.action}_${stack.status}: ${stack.statusReason}`);
  return {
    usage: { ...usage, requests: { ...usage.requests, ...receiver.requests } },
    invocations: counts.reduce((sum, { invocations }) => sum + invocations, 0),
    messages: counts.reduce((sum, { messages }) => sum + messages, 0),
    eventInvocations,
    stack,
    effects: cloud.calls().filter(({ effect }) => effect).length,
    seconds: (performance.now() - startedAt) / 1_000,
  };
};
