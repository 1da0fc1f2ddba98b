import { randomUUID } from "node:crypto";
import type { AwsConnection } from "#lib/adapters/aws/clients.ts";
import type { AwsPlace } from "#lib/adapters/aws/open-aws.ts";
import { memoryCipher, memorySigner } from "#lib/adapters/memory/seeded.ts";
import { systemClock, uuidIds } from "#lib/adapters/node/platform.ts";
import { arriveAt } from "#lib/convergence/sync-point.ts";
import type { NodeData } from "#lib/model/graph.ts";
import type { ResourceTypes } from "#lib/ports/resource-type.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { openCountedAws } from "#test/aws/usage.ts";

export const WORKERS = 64;
const HOUR_MS = 3_600_000;

export interface FanInCost {
  readonly reads: number;
  readonly writes: number;
  readonly writeUnits: number;
  /** How many callers found the SyncPoint full. */
  readonly fired: number;
}

const NO_TYPES: ResourceTypes = { get: async () => null, names: () => [] };

export const inParallel = async (
  count: number,
  work: (at: number) => Promise<void>,
): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
};

const dataOf = (at: number): NodeData => ({
  id: randomUUID(),
  name: `leaf_${at}`,
  reference: null,
  checkFailed: false,
});

/** `deliveries` is how often SQS delivers the message of each predecessor. */
export const arrivals = async (
  connection: AwsConnection,
  place: AwsPlace,
  fanIn: number,
  deliveries = 1,
): Promise<FanInCost> => {
  const adapter = openCountedAws({ ...connection, ...place });
  const point = {
    resourceId: randomUUID(),
    isUpdate: true,
    stackId: randomUUID(),
    traversalId: randomUUID(),
    fanIn,
    expiresAt: Date.now() + HOUR_MS,
  };
  let fired = 0;
  const ports = {
    ...adapter,
    clock: systemClock(),
    ids: uuidIds(),
    signer: memorySigner(),
    cipher: memoryCipher(),
    resourceTypes: NO_TYPES,
    publicUrl: "https://cost.example",
    retention: retentionOf(),
  };
  await inParallel(fanIn * deliveries, async (at) => {
    const predecessor = at % fanIn;
    const arrival = { ...point, predecessor };
    const { accepted, ready } = await arriveAt(ports, arrival, dataOf(predecessor));
    if (accepted && ready) fired++;
  });
  const { requests, writeUnits } = adapter.usage.read();
  adapter.close();
  const writes = (requests["dynamodb UpdateItem"] ?? 0) + (requests["dynamodb PutItem"] ?? 0);
  return { reads: requests["dynamodb GetItem"] ?? 0, writes, writeUnits, fired };
};
