/** Binds the AWS adapters to the ports of the engine's handlers, once at a worker's cold start. */
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { MiddlewareObj } from "@middy/core";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { clientOptions } from "#lib/adapters/aws/clients.ts";
import { type AwsAdapter, openAws } from "#lib/adapters/aws/open-aws.ts";
import type { WatchedQueue } from "#lib/adapters/aws/queue.ts";
import { callLimit } from "#lib/adapters/node/call-limit.ts";
import { aesCipher } from "#lib/adapters/node/cipher.ts";
import { cryptoRandom, systemClock, uuidIds } from "#lib/adapters/node/platform.ts";
import { parseJson } from "#lib/json.ts";
import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import type { Clock, Ports, Retention } from "#lib/ports/ports.ts";
import type { QueueHolds } from "#lib/ports/queue.ts";
import { NO_FAKE_PROVIDER } from "#lib/resources/fake-provider/fake-provider-calls.ts";
import { type ProvidedTypes, resourceTypes, withResourceTypes } from "#lib/resources/registry.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { nameInvocations } from "../logger.ts";
import type { Meter } from "../meter.ts";
import { backOff } from "../middleware/back-off.ts";
import {
  type EngineEnvironment,
  type EnvironmentOf,
  type Places,
  type Platform,
  parsePlatform,
  type Retained,
} from "./environment.ts";
import { meteredStore, openMeter, publishMetrics } from "./metrics.ts";
import { plugInServersSchema } from "./plug-in-servers.ts";
import { type RemoteTypes, withRemoteTypes } from "./remote-types.ts";
import { openSigner, readMasterKey, readSecretText } from "./secrets.ts";

export interface Engine {
  readonly ports: Ports;
  readonly meter: Meter;
  readonly around: MiddlewareObj[];
  readonly ofQueue: MiddlewareObj<SQSEvent, SQSBatchResponse>;
}

const openPlaces = (
  places: Places,
  platform: Platform,
  watchedQueues: readonly WatchedQueue[] = [],
): AwsAdapter =>
  openAws({
    ...platform,
    tables: {
      stacks: places.STACKS_TABLE,
      resources: places.RESOURCES_TABLE,
      syncPoints: places.SYNC_POINTS_TABLE,
      events: places.EVENTS_TABLE,
      softwareConfigs: places.SOFTWARE_CONFIGS_TABLE,
      evidence: places.EVIDENCE_TABLE,
      ...(places.FAKE_PROVIDER_TABLE === undefined
        ? {}
        : { fakeProvider: places.FAKE_PROVIDER_TABLE }),
    },
    queues: {
      prepare: places.PREPARE_QUEUE_URL,
      check: places.CHECK_QUEUE_URL,
      poll: places.POLL_QUEUE_URL,
    },
    bucket: places.BLOBS_BUCKET,
    watchedQueues,
    fairQueues: true,
  });

export const openStore = (places: Places) => {
  const { store, blobs, spilled } = openPlaces(places, parsePlatform(process.env));
  return { store, blobs, spilled, clock: systemClock(), ids: uuidIds() };
};

export const retentionIn = ({ RETENTION_DAYS, EVENTS_PER_STACK_MAX }: Retained): Retention =>
  retentionOf(Number(RETENTION_DAYS), Number(EVENTS_PER_STACK_MAX));

export type SecretOf = (arn: string) => Promise<string>;

interface Besides {
  readonly watchedQueues?: readonly WatchedQueue[];
  readonly provided?: ((clock: Clock, secretOf: SecretOf) => ProvidedTypes) | undefined;
  readonly providerOf?: (adapter: AwsAdapter) => FakeProvider;
}

const remoteTypesFor = (text: string, secretOf: SecretOf, { now }: Clock): RemoteTypes => ({
  servers: plugInServersSchema.parse(parseJson(text)),
  secretOf,
  limit: callLimit(),
  now,
});

export const bindEngine = async (
  environment: EngineEnvironment,
  { watchedQueues = [], provided, providerOf = () => NO_FAKE_PROVIDER }: Besides = {},
): Promise<Engine> => {
  const platform = parsePlatform(process.env);
  const clock = systemClock();
  const adapter = openPlaces(environment, platform, watchedQueues);
  const secrets = new SecretsManagerClient(clientOptions(platform));
  const [{ signer, refresh, life }, masterKey] = await Promise.all([
    openSigner(secrets, environment.SIGNING_SECRET, clock),
    readMasterKey(secrets, environment.ENCRYPTION_SECRET),
  ]);
  const meter = openMeter(environment.STAGE);
  const unbound = {
    store: meteredStore(adapter.store, meter),
    softwareConfigs: adapter.softwareConfigs,
    queue: adapter.queue,
    blobs: adapter.blobs,
    uploads: adapter.uploads,
    clock,
    ids: uuidIds(),
    signer,
    cipher: aesCipher(masterKey),
    publicUrl: environment.PUBLIC_URL,
    pollUrl: environment.POLL_URL,
    retention: retentionIn(environment),
    life,
  };
  const { PLUG_INS } = environment;
  const secretOf: SecretOf = (arn) => readSecretText(secrets, arn);
  const remote = PLUG_INS === undefined ? null : remoteTypesFor(PLUG_INS, secretOf, clock);
  const ports = withResourceTypes(unbound, (engine) => {
    const fakeProvider = providerOf(adapter);
    const hasTestTypes = environment.FAKE_PROVIDER_TABLE !== undefined;
    const own = resourceTypes(
      { engine, random: cryptoRandom(), fakeProvider, hasTestTypes },
      provided?.(clock, secretOf),
    );
    return remote === null ? own : withRemoteTypes(own, remote);
  });
  const revision = environment.REVISION;
  const around = [nameInvocations({ revision }), publishMetrics(meter), { before: refresh }];
  const queues = [
    environment.PREPARE_QUEUE_URL,
    environment.CHECK_QUEUE_URL,
    environment.POLL_QUEUE_URL,
  ];
  const sqs = new SQSClient(clientOptions(platform));
  return { ports, meter, around, ofQueue: backOff(sqs, queues) };
};

export const watchedQueues = (environment: EnvironmentOf<"api">): readonly WatchedQueue[] => {
  // The URLs of all queues of an account and region differ only in the last segment.
  const watched = (queue: string, holds: QueueHolds, name: string): WatchedQueue => ({
    queue,
    holds,
    url: new URL(name, environment.PREPARE_QUEUE_URL).href,
  });
  return [
    watched("prepare-dead-letter", "dead-letters", environment.PREPARE_DEAD_LETTER_QUEUE),
    watched("check-dead-letter", "dead-letters", environment.CHECK_DEAD_LETTER_QUEUE),
    watched("poll-dead-letter", "dead-letters", environment.POLL_DEAD_LETTER_QUEUE),
    watched("given-up", "given-up", environment.GIVEN_UP_QUEUE),
    watched("stream-failures", "stream-failures", environment.STREAM_FAILURES_QUEUE),
  ];
};
