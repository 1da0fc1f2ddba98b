/**
 * Every key of every table. A partition is named after a tenant or an id that cannot be guessed. A
 * text that a request may choose comes last, after a prefix. So no two records share a key.
 */
import * as z from "zod";
import type { GraphPartKey, SyncPointKey } from "#lib/model/graph.ts";
import { partitionOfRow, spreadPartitions } from "#lib/model/row-partitions.ts";
import type { EvidenceKey } from "#lib/ports/software-config-store.ts";
import type { ResourceKey, StackKey } from "#lib/ports/store.ts";
import type { Item } from "./table.ts";

export const pairSchema = z.object({
  pk: z.object({ S: z.string() }),
  sk: z.object({ S: z.string() }),
});
const pair = (pk: string, sk: string): Item => ({ pk: { S: pk }, sk: { S: sk } });

const ALONE = "#";

export interface Partition {
  readonly attribute: string;
  readonly value: string;
  readonly sortKeyPrefix: string;
}

const partition = (attribute: string, value: string, sortKeyPrefix = ""): Partition => ({
  attribute,
  value,
  sortKeyPrefix,
});

const TENANT = "T#";
const STACK = "S#";
export const stackKey = (tenant: string, id: string): Item => pair(TENANT + tenant, STACK + id);
export const stackKeyIn = (item: Item): StackKey => {
  const { pk, sk } = pairSchema.parse(item);
  return { tenant: pk.S.slice(TENANT.length), id: sk.S.slice(STACK.length) };
};
export const stacksOf = (tenant: string): Partition => partition("pk", `T#${tenant}`, STACK);
const NAME = "N#";
export const stackNameKey = (tenant: string, name: string): Item =>
  pair(`T#${tenant}`, NAME + name);
export const stackNamesOf = (tenant: string): Partition => partition("pk", `T#${tenant}`, NAME);
export const sweepKey = (): Item => pair("H#sweep", ALONE);
export const graphKey = (stackId: string, traversalId: string): Item =>
  pair(`G#${stackId}`, traversalId);
/** Each part has its own partition, so the many writes of a large graph spread evenly. */
export const graphPartKey = ({ build, part }: GraphPartKey): Item =>
  pair(`P#${build}#${part}`, ALONE);

export const resourceKey = (key: ResourceKey): Item => ({
  stackId: { S: partitionOfRow(key) },
  id: { S: key.id },
});
export const resourcesOf = (stackId: string): Partition => partition("stackId", stackId);
export const spreadResourcesOf = (stackId: string): readonly Partition[] =>
  spreadPartitions(stackId).map((value) => partition("stackId", value));
/** No row has this id, and it sorts before the ids of all rows. */
export const SPREAD_MARK_ID = ALONE;
export const spreadMarkKey = (stackId: string): Item => ({
  stackId: { S: stackId },
  id: { S: SPREAD_MARK_ID },
});

/** Each point has its own partition, so it needs no query, and the points spread evenly. */
const pointPartition = ({ traversalId, resourceId, isUpdate, bucket }: SyncPointKey): string =>
  `${traversalId}#${resourceId}#${isUpdate ? "u" : "c"}#${bucket}`;
const DATA = "D#";
export const syncPointKey = (key: SyncPointKey): Item => pair(pointPartition(key), ALONE);
export const inputDataKey = (key: SyncPointKey, predecessor: number): Item =>
  pair(pointPartition(key), DATA + predecessor);
export const inputDataOf = (key: SyncPointKey): Partition =>
  partition("pk", pointPartition(key), DATA);
export const predecessorIn = (sortKey: string): string => sortKey.slice(DATA.length);

export const eventPageName = (firstTime: number, written: string): string =>
  `${String(firstTime).padStart(15, "0")}#${written}`;
export const eventPageKey = (stackId: string, name: string): Item => ({
  stackId: { S: stackId },
  sk: { S: name },
});
const pageKey = z.object({ stackId: z.object({ S: z.string() }), sk: z.object({ S: z.string() }) });
export const keyOfEventPage = (page: Item): Item => pageKey.parse(page);
export const eventsOf = (stackId: string): Partition => partition("stackId", stackId);

const DEPLOYMENT = "D#";
export const configKey = (tenant: string, id: string): Item => pair(`C#${tenant}`, `C#${id}`);
export const serverKey = (id: string): Item => pair(`V#${id}`, ALONE);
export const configsOf = (tenant: string): Partition => partition("pk", `C#${tenant}`, "C#");
export const deploymentPlaceKey = (tenant: string, id: string): Item =>
  pair(`C#${tenant}`, DEPLOYMENT + id);
export const deploymentPlacesOf = (tenant: string): Partition =>
  partition("pk", `C#${tenant}`, DEPLOYMENT);
const MACHINE = "M#";
export const takenMachineKey = (tenant: string, name: string): Item =>
  pair(`C#${tenant}`, MACHINE + name);
export const takenMachinesOf = (tenant: string): Partition =>
  partition("pk", `C#${tenant}`, MACHINE);
export const serverDocumentOf = (serverId: string): Partition => partition("pk", `V#${serverId}`);
export const isServerKey = (sortKey: string): boolean => sortKey === ALONE;
export const deploymentKey = (serverId: string, id: string): Item =>
  pair(`V#${serverId}`, DEPLOYMENT + id);
export const deploymentsOf = (serverId: string): Partition =>
  partition("pk", `V#${serverId}`, DEPLOYMENT);
export const signalTargetKey = (derivedConfigId: string): Item =>
  pair(`G#${derivedConfigId}`, ALONE);

export const evidenceKey = ({ serverId, deploymentId, kind }: EvidenceKey): Item => ({
  serverId: { S: serverId },
  sk: { S: `${deploymentId ?? ""}#${kind}` },
});
export const evidenceOf = (serverId: string): Partition => partition("serverId", serverId);

/**
 * Sightings are in the evidence table, because unauthenticated requests may cause writes to that
 * table only. No server has an id like these keys.
 */
export const serverSightingKey = (serverId: string): Item => ({
  serverId: { S: `${serverId}#server` },
  sk: { S: ALONE },
});
const deliveriesAt = (serverId: string): string => `${serverId}#deliveries`;
export const deliverySightingKey = (serverId: string, derivedConfigId: string): Item => ({
  serverId: { S: deliveriesAt(serverId) },
  sk: { S: derivedConfigId },
});
export const deliverySightingsOf = (serverId: string): Partition =>
  partition("serverId", deliveriesAt(serverId));

const rollsAt = (shard: string): string => `${shard}#rolls`;
export const pollRollKey = (shard: string, writer: string): Item => ({
  serverId: { S: rollsAt(shard) },
  sk: { S: writer },
});
export const pollRollsOf = (shard: string): Partition => partition("serverId", rollsAt(shard));

export const fakeObjectKey = (provider: string, physicalId: string): Item =>
  pair(`O#${provider}`, `O#${physicalId}`);
export const fakeObjectsOf = (provider: string): Partition => partition("pk", `O#${provider}`);
export const fakeTokenKey = (provider: string, token: string): Item =>
  pair(`K#${provider}`, `K#${token}`);
