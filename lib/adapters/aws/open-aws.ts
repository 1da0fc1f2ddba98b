/** The cloud's adapters behind the engine's ports: DynamoDB, SQS and S3, or an emulator of them. */
import type { Blobs } from "#lib/ports/blobs.ts";
import type { Clock } from "#lib/ports/clock.ts";
import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import type { Queue } from "#lib/ports/queue.ts";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import type { Store } from "#lib/ports/store.ts";
import type { Uploads } from "#lib/ports/uploads.ts";
import { systemClock } from "../node/platform.ts";
import { s3Blobs } from "./blobs.ts";
import { type AwsConnection, openClients } from "./clients.ts";
import { dynamoEvents } from "./events.ts";
import { dynamoEvidence } from "./evidence.ts";
import { dynamoFakeProvider } from "./fake-provider.ts";
import { dynamoGraphs } from "./graphs.ts";
import { dynamoHeartbeat } from "./heartbeat.ts";
import { openObjects } from "./objects.ts";
import { type QueueUrls, sqsQueue, type WatchedQueue } from "./queue.ts";
import { dynamoResources } from "./resources.ts";
import { dynamoSightings } from "./sightings.ts";
import {
  dynamoConfigs,
  dynamoDeployments,
  dynamoPlaces,
  dynamoServers,
  dynamoTargets,
} from "./software-config-store.ts";
import { spillInto } from "./spill.ts";
import { dynamoStackNames, dynamoStacks } from "./stacks.ts";
import { dynamoSyncPoints } from "./sync-points.ts";
import { openTable } from "./table.ts";
import type { TableId, TableNames } from "./tables.ts";
import { s3Uploads } from "./uploads.ts";

export interface AwsPlace {
  readonly tables: TableNames;
  readonly queues: QueueUrls;
  readonly bucket: string;
}

export interface AwsOptions extends AwsConnection, AwsPlace {
  /** Absent: the machine's. */
  readonly clock?: Clock;
  /** Sends the tenant as message group to the standard queues (fair queues); some emulators refuse it. */
  readonly fairQueues?: boolean;
  /** Which of several fake providers in the table this is. */
  readonly fakeProviderName?: string;
  /** What a look at the queues shows besides the work; absent: nothing. */
  readonly watchedQueues?: readonly WatchedQueue[];
}

export interface AwsAdapter {
  readonly store: Store;
  readonly softwareConfigs: SoftwareConfigStore;
  readonly blobs: Blobs;
  readonly uploads: Uploads;
  readonly queue: Queue;
  readonly fakeProvider: FakeProvider;
  close(): void;
}

export const openAws = (options: AwsOptions): AwsAdapter => {
  const { tables, queues, bucket, fairQueues = false, fakeProviderName = "" } = options;
  const { watchedQueues = [] } = options;
  const clock = options.clock ?? systemClock();
  const clients = openClients(options);
  const objects = openObjects(clients.s3, bucket);
  const spill = spillInto(objects);
  const table = (id: TableId) => openTable(clients.dynamo, tables[id], spill);
  const stacks = table("stacks");
  const softwareConfigs = table("softwareConfigs");
  const evidence = table("evidence");
  return {
    store: {
      ...dynamoStacks(clients.dynamo, tables.stacks, stacks),
      ...dynamoStackNames(stacks),
      ...dynamoGraphs(stacks),
      ...dynamoResources(table("resources")),
      ...dynamoSyncPoints(table("syncPoints")),
      ...dynamoEvents(table("events"), clock),
      ...dynamoHeartbeat(stacks),
    },
    softwareConfigs: {
      ...dynamoConfigs(softwareConfigs),
      ...dynamoServers(softwareConfigs),
      ...dynamoDeployments(softwareConfigs),
      ...dynamoPlaces(softwareConfigs),
      ...dynamoTargets(softwareConfigs),
      ...dynamoEvidence(evidence),
      ...dynamoSightings(evidence),
    },
    blobs: s3Blobs(objects),
    uploads: s3Uploads(clients.s3, bucket, objects, clock),
    queue: sqsQueue(clients.sqs, queues, fairQueues, watchedQueues),
    fakeProvider: dynamoFakeProvider(table("fakeProvider"), fakeProviderName, clock),
    close: clients.close,
  };
};
