/** Binds the AWS adapters into the ports that the engine's handlers are given. Done once, at a worker's cold start. */
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SQSClient } from "@aws-sdk/client-sqs";
import { type AwsAdapter, openAws } from "#lib/adapters/aws/open-aws.ts";
import { aesCipher } from "#lib/adapters/node/cipher.ts";
import { cryptoRandom, systemClock, uuidIds } from "#lib/adapters/node/platform.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { resourceTypes } from "#lib/resources/registry.ts";
import { clientOptions } from "./client-options.ts";
import { type Entry, lambdaEntry } from "./entry.ts";
import {
  type EngineEnvironment,
  type Places,
  type Platform,
  parsePlatform,
} from "./environment.ts";
import { type SqsHandler, withBackoff } from "./redelivery.ts";
import { openSigner, readMasterKey } from "./secrets.ts";

export interface Engine {
  readonly ports: Ports;
  /** The handler with fresh keys before each event. */
  entry<Event, Result>(handler: Entry<Event, Result>): Entry<Event, Result>;
  /** For handlers that are fed from a queue: what fails comes back soon. */
  queueEntry(handler: SqsHandler): SqsHandler;
}

const openPlaces = (places: Places, platform: Platform): AwsAdapter =>
  openAws({
    ...platform,
    tables: {
      stacks: places.STACKS_TABLE,
      resources: places.RESOURCES_TABLE,
      syncPoints: places.SYNC_POINTS_TABLE,
      events: places.EVENTS_TABLE,
      softwareConfigs: places.SOFTWARE_CONFIGS_TABLE,
      testCloud: places.TEST_CLOUD_TABLE,
    },
    queues: {
      prepare: places.PREPARE_QUEUE_URL,
      check: places.CHECK_QUEUE_URL,
      poll: places.POLL_QUEUE_URL,
    },
    bucket: places.BLOBS_BUCKET,
  });

/** Everything of the ports that needs no key. */
export const openStore = (places: Places) => {
  const adapter = openPlaces(places, parsePlatform(process.env));
  return { store: adapter.store, clock: systemClock(), ids: uuidIds() };
};

export const bindEngine = async (environment: EngineEnvironment): Promise<Engine> => {
  const platform = parsePlatform(process.env);
  const clock = systemClock();
  const adapter = openPlaces(environment, platform);
  const secrets = new SecretsManagerClient(clientOptions(platform));
  const [{ signer, refresh }, masterKey] = await Promise.all([
    openSigner(secrets, environment.SIGNING_SECRET, clock),
    readMasterKey(secrets, environment.ENCRYPTION_SECRET),
  ]);
  const ports: Ports = {
    store: adapter.store,
    softwareConfigs: adapter.softwareConfigs,
    queue: adapter.queue,
    blobs: adapter.blobs,
    testCloud: adapter.testCloud,
    clock,
    ids: uuidIds(),
    random: cryptoRandom(),
    signer,
    cipher: aesCipher(masterKey),
    resourceTypes: resourceTypes(),
    publicUrl: environment.PUBLIC_URL,
  };
  const entry: Engine["entry"] = (handler) => lambdaEntry(handler, refresh);
  const queues = [
    environment.PREPARE_QUEUE_URL,
    environment.CHECK_QUEUE_URL,
    environment.POLL_QUEUE_URL,
  ];
  const sqs = new SQSClient(clientOptions(platform));
  return { ports, entry, queueEntry: (handler) => entry(withBackoff(sqs, queues, handler)) };
};
