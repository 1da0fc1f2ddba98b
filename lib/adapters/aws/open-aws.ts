import { present } from "#lib/errors.ts";
import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import type { Blobs, Clock, Uploads } from "#lib/ports/ports.ts";
import type { Queue } from "#lib/ports/queue.ts";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import type { SpilledValues, Store } from "#lib/ports/store.ts";
import { systemClock } from "../node/platform.ts";
import { type AwsClients, type AwsConnection, openClients } from "./clients.ts";
import { dynamoEvents } from "./events.ts";
import { dynamoFakeProvider, inertObjects } from "./fake-provider.ts";
import { dynamoGraphs } from "./graphs.ts";
import { openObjects, s3Blobs, s3Uploads } from "./objects.ts";
import { type QueueUrls, sqsQueue, type WatchedQueue } from "./queue.ts";
import { dynamoResources } from "./resources.ts";
import { dynamoEvidence, dynamoSightings } from "./sightings.ts";
import {
  dynamoConfigs,
  dynamoDeployments,
  dynamoMachines,
  dynamoPlaces,
  dynamoServers,
  dynamoTargets,
} from "./software-config-store.ts";
import { s3SpilledValues, spillInto } from "./spill.ts";
import { dynamoHeartbeat, dynamoStackNames, dynamoStacks } from "./stacks.ts";
import { dynamoSyncPoints } from "./sync-points.ts";
import { openTable, type Table } from "./table.ts";
import { TABLES, type TableId, type TableNames } from "./tables.ts";

export interface AwsPlace {
  readonly tables: TableNames;
  readonly queues: QueueUrls;
  readonly bucket: string;
}

export interface AwsOptions extends AwsConnection, AwsPlace {
  readonly clock?: Clock;
  /**
   * Whether messages have the tenant as their group (SQS's fair queues). Some emulators refuse it.
   */
  readonly fairQueues?: boolean;
  readonly fakeProviderName?: string;
  readonly watchedQueues?: readonly WatchedQueue[];
}

export interface AwsAdapter {
  readonly store: Store;
  readonly softwareConfigs: SoftwareConfigStore;
  readonly blobs: Blobs;
  readonly spilled: SpilledValues;
  readonly uploads: Uploads;
  readonly queue: Queue;
  readonly fakeProvider: FakeProvider;
  close(): void;
}

type OpenTable = (id: TableId) => Table;

const openStore = (
  open: OpenTable,
  clients: AwsClients,
  tables: TableNames,
  clock: Clock,
): Store => {
  const stacks = open("stacks");
  return {
    ...dynamoStacks(clients.dynamo, tables.stacks, stacks),
    ...dynamoStackNames(stacks),
    ...dynamoGraphs(stacks),
    ...dynamoResources(open("resources")),
    ...dynamoSyncPoints(open("syncPoints")),
    ...dynamoEvents(open("events"), clock),
    ...dynamoHeartbeat(stacks),
  };
};

const openSoftwareConfigs = (open: OpenTable): SoftwareConfigStore => {
  const softwareConfigs = open("softwareConfigs");
  const evidence = open("evidence");
  return {
    ...dynamoConfigs(softwareConfigs),
    ...dynamoServers(softwareConfigs),
    ...dynamoDeployments(softwareConfigs),
    ...dynamoPlaces(softwareConfigs),
    ...dynamoTargets(softwareConfigs),
    ...dynamoMachines(softwareConfigs),
    ...dynamoEvidence(evidence),
    ...dynamoSightings(evidence),
  };
};

export const openAws = (options: AwsOptions): AwsAdapter => {
  const {
    tables,
    queues,
    bucket,
    clock = systemClock(),
    fairQueues = false,
    fakeProviderName = "",
    watchedQueues = [],
  } = options;
  const clients = openClients(options);
  const objects = openObjects(clients.s3, bucket);
  const open: OpenTable = (id) =>
    openTable(clients.dynamo, present(tables[id], id), TABLES[id], spillInto(objects, id));
  return {
    store: openStore(open, clients, tables, clock),
    softwareConfigs: openSoftwareConfigs(open),
    blobs: s3Blobs(objects),
    spilled: s3SpilledValues(objects, open),
    uploads: s3Uploads(clients.s3, bucket, objects, clock),
    queue: sqsQueue(clients.sqs, queues, fairQueues, watchedQueues),
    fakeProvider:
      tables.fakeProvider === undefined
        ? inertObjects()
        : dynamoFakeProvider(open("fakeProvider"), fakeProviderName, clock),
    close: clients.close,
  };
};
