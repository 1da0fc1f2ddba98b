/** The functions of a stage in this process: the real handlers on the AWS adapters. */
import { SFNClient } from "@aws-sdk/client-sfn";
import { type ChangeMessageVisibilityBatchCommandInput, SQSClient } from "@aws-sdk/client-sqs";
import middy from "@middy/core";
import { handler as apiHandler } from "#functions/api/handler.ts";
import { knownCaller } from "#functions/api/identity.ts";
import { handler as authorizerHandler } from "#functions/authorizer/handler.ts";
import { handler as awaitEndHandler } from "#functions/await-end/handler.ts";
import { meteredStore, openMeter, publishMetrics } from "#functions/aws/metrics.ts";
import { starter } from "#functions/aws/step-functions.ts";
import { handler as checkHandler } from "#functions/check-resource/handler.ts";
import { handler as deadLetterHandler } from "#functions/dead-letter/handler.ts";
import { handler as eventsHandler } from "#functions/events/handler.ts";
import { nameInvocations } from "#functions/logger.ts";
import { handler as metadataHandler } from "#functions/metadata/handler.ts";
import { backOff } from "#functions/middleware/back-off.ts";
import { handler as prepareHandler } from "#functions/prepare-traversal/handler.ts";
import { handler as signalHandler } from "#functions/signal/handler.ts";
import type { Pacing } from "#functions/stream-batch.ts";
import { handler as superviseHandler } from "#functions/supervise-stacks/handler.ts";
import { handler as sweepHandler } from "#functions/sweep/handler.ts";
import { type AwsService, openClients, type RequestMeter } from "#lib/adapters/aws/clients.ts";
import { openAws } from "#lib/adapters/aws/open-aws.ts";
import { aesCipher } from "#lib/adapters/node/cipher.ts";
import { cryptoRandom, hmacSigner, uuidIds } from "#lib/adapters/node/platform.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Queue, QueueName } from "#lib/ports/queue.ts";
import { resourceTypes, withResourceTypes } from "#lib/resources/registry.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { answering, metersInTurn } from "../in-process/services.ts";
import { openInProcessTarget } from "../in-process/target.ts";

const KEY_BYTES = 32;
const MILLISECONDS = 1_000;
const QUEUES = { prepare: "Prepare", check: "Check", poll: "Poll" } as const;

export interface Surroundings {
  readonly stageName: string;
  readonly usage?: RequestMeter;
  now(): number;
  /** @returns an error in place of a service's answer, or null to pass the call on. */
  fault(service: AwsService | "sfn", command: string): Error | null;
  send(queue: string, body: string, delaySeconds: number): void;
  show(queue: string, receiptHandle: string, seconds: number): void;
  /** Called before a function of a stream reports a failure, since it waits then. */
  pause(seconds: number): void;
}

const faulty = (around: Surroundings): RequestMeter => ({
  counting: (service) => ({
    applyToStack: (stack) => {
      stack.add(
        (next, context) => async (args) => {
          const error = around.fault(service, context.commandName ?? "");
          if (error !== null) throw error;
          return next(args);
        },
        { step: "initialize", name: "hearthFault" },
      );
    },
  }),
});

const NOWHERE = { region: "us-east-1", endpoint: "http://127.0.0.1:9" };

const machineClient = (around: Surroundings): SFNClient => {
  const client = new SFNClient(NOWHERE);
  const StartExecution = (): object => {
    const error = around.fault("sfn", "StartExecution");
    if (error !== null) throw error;
    return { executionArn: "arn" };
  };
  client.middlewareStack.use(answering({ StartExecution }));
  return client;
};

const nameOf = (url = ""): string => url.slice(url.lastIndexOf("/") + 1);

const visibilityClient = (around: Surroundings): SQSClient => {
  const client = new SQSClient(NOWHERE);
  const ChangeMessageVisibilityBatch = ({
    QueueUrl,
    Entries = [],
  }: ChangeMessageVisibilityBatchCommandInput): object => {
    for (const { ReceiptHandle = "", VisibilityTimeout = 0 } of Entries)
      around.show(nameOf(QueueUrl), ReceiptHandle, VisibilityTimeout);
    return {};
  };
  client.middlewareStack.use(answering({ ChangeMessageVisibilityBatch }));
  return client;
};

const queueOf = (around: Surroundings): Queue => ({
  send: async (queue: QueueName, messages, delayMs = 0) => {
    for (const message of messages)
      around.send(QUEUES[queue], JSON.stringify(message), delayMs / MILLISECONDS);
  },
  depths: async () => [],
});

const openPorts = async (around: Surroundings) => {
  const { connection, place } = await openInProcessTarget();
  const meter = metersInTurn(faulty(around), around.usage, connection.meter);
  const clock = { now: around.now };
  const adapter = openAws({ ...connection, ...place, meter, clock });
  const counted = openMeter(around.stageName);
  const unbound: Omit<Ports, "resourceTypes"> = {
    store: meteredStore(adapter.store, counted),
    softwareConfigs: adapter.softwareConfigs,
    queue: queueOf(around),
    blobs: adapter.blobs,
    uploads: adapter.uploads,
    clock,
    ids: uuidIds(),
    signer: hmacSigner([{ kid: "alarms", secret: new Uint8Array(KEY_BYTES) }]),
    cipher: aesCipher(new Uint8Array(KEY_BYTES)),
    publicUrl: "https://alarms.example",
    retention: retentionOf(),
  };
  const { fakeProvider } = adapter;
  const ports = withResourceTypes(unbound, (engine) =>
    resourceTypes({ engine, random: cryptoRandom(), fakeProvider }),
  );
  return { ports, meter: counted, adapter, clients: openClients({ ...connection, meter }), place };
};

export const openDeployedFunctions = async (surroundings: Surroundings) => {
  const { ports, meter, adapter, clients, place } = await openPorts(surroundings);
  const { clock } = ports;
  const around = [nameInvocations(), publishMetrics(meter)];
  const sqs = visibilityClient(surroundings);
  const urls = Object.values(QUEUES).map((name) => `https://sqs.invalid/1/${name}`);
  const ofQueue = backOff(sqs, urls);
  const pace: Pacing = { clock, pause: async (ms) => surroundings.pause(ms / MILLISECONDS) };
  const watcher = starter(
    machineClient(surroundings),
    clients.dynamo,
    "machine",
    place.tables.stacks,
  );
  const ender = { putToken: async () => undefined, end: async () => undefined };
  const tokens = { get: async () => null };
  return {
    ports,
    queues: {
      "prepare-traversal": middy(prepareHandler(ports, meter)).use(around).use(ofQueue),
      "check-resource": middy(checkHandler(ports, meter)).use(around).use(ofQueue),
      "dead-letter": middy(deadLetterHandler(ports, meter)).use(around),
    },
    streams: {
      events: middy(eventsHandler(ports, adapter.spilled, pace)).use(around),
      "supervise-stacks": middy(superviseHandler(watcher, clock, meter, pace)).use(around),
    },
    requests: {
      api: middy(apiHandler(ports, { revision: "played" }, knownCaller({}))).use(around),
      metadata: middy(metadataHandler(ports)).use(around),
      signal: middy(signalHandler(ports)).use(around),
    },
    authorizer: middy(authorizerHandler(tokens, clock)).use(nameInvocations()),
    sweep: middy(sweepHandler(ports, meter)).use(around),
    awaitEnd: middy(awaitEndHandler(ports, ender)).use(nameInvocations()),
  };
};

export type DeployedFunctions = Awaited<ReturnType<typeof openDeployedFunctions>>;
