import * as z from "zod";
import { STATUSES } from "#lib/model/action.ts";
import { EVIDENCE_KINDS } from "#lib/model/evidence.ts";
import { SERVER_STATUSES } from "#lib/model/sighting.ts";
import { number, oneOf, orNull, orZero, sealed, text, textList, timesById } from "./attributes.ts";

export const configItem = z.object({
  tenant: text,
  id: text,
  stackId: text,
  content: sealed,
  createdAt: number,
});

export const serverItem = z.object({
  tenant: text,
  id: text,
  stackId: text,
  resourceName: text,
  gen: number,
  metadata: sealed,
});

export const deploymentItem = z.object({
  tenant: text,
  serverId: text,
  id: text,
  stackId: text,
  resourceId: text,
  resourceName: text,
  generation: number,
  delivery: number,
  derivedConfigId: text,
  name: text,
  action: text,
  status: oneOf(STATUSES),
  statusReason: text,
  derivedConfig: sealed,
  outputValues: sealed,
  wholeOutputOf: orNull(number),
  inputValues: orNull(sealed),
  createdAt: number,
  updatedAt: number,
});

export const outlinedServerItem = serverItem.pick({
  tenant: true,
  id: true,
  gen: true,
  metadata: true,
});
export const outlinedDeploymentItem = deploymentItem.pick({
  tenant: true,
  id: true,
  derivedConfigId: true,
  name: true,
  resourceName: true,
  action: true,
  createdAt: true,
});

export const deploymentPlaceItem = z.object({
  tenant: text,
  id: text,
  serverId: text,
  stackId: text,
});

export const takenMachineItem = z.object({
  tenant: text,
  name: text,
  stackId: text,
  resourceName: text,
  serverId: orNull(text),
});

export const signalTargetItem = z.object({
  derivedConfigId: text,
  tenant: text,
  stackId: text,
  resourceId: text,
  serverId: text,
  deploymentId: orNull(text),
  generation: number,
  expiresAt: number,
});

export const evidenceItem = z.object({
  tenant: text,
  stackId: text,
  serverId: text,
  deploymentId: orNull(text),
  kind: oneOf(EVIDENCE_KINDS),
  firstSeenAt: number,
  lastSeenAt: number,
  expiresAt: number,
  count: number,
});

/** The server's id is missing because the key contains it in another form. */
const sightedServer = { tenant: text, stackId: text, expiresAt: number };

export const serverFindingsItem = z.object({
  firstPollAt: orNull(number),
  lastPollAt: orNull(number),
  servedVersion: orNull(text),
  servedAt: orNull(number),
  appliedVersion: orNull(text),
  appliedAt: orNull(number),
  bootBegunAt: orNull(number),
  bootInstalledAt: orNull(number),
  bootFailedAt: orNull(number),
  address: orNull(text),
  agent: orNull(text),
  tools: orNull(textList),
  unsentConfigId: orNull(text),
  reportedStatus: orNull(oneOf(SERVER_STATUSES)),
  reportedAddresses: orNull(textList),
  reportedFault: orNull(text),
  reportedAt: orNull(number),
});
export const sightedServerItem = z.object(sightedServer);
export const serverSightingItem = serverFindingsItem.extend(sightedServer);

const sightedDelivery = { ...sightedServer, deploymentId: text, derivedConfigId: text };

export const deliveryFindingsItem = z.object({
  publishedAt: orNull(number),
  tool: orNull(text),
  fetchedAt: orNull(number),
  appliedAt: orNull(number),
  startedAt: orNull(number),
  heardAt: orNull(number),
  endedAt: orNull(number),
  heartbeats: orZero,
  progressReason: orNull(text),
  outputTail: orNull(sealed),
  outputTailAt: orNull(number),
  stopAskedAt: orNull(number),
});
export const sightedDeliveryItem = z.object(sightedDelivery);
export const deliverySightingItem = deliveryFindingsItem.extend(sightedDelivery);

export const pollRollItem = z.object({ polls: timesById, expiresAt: number });
