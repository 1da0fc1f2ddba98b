import { randomUUID } from "node:crypto";
import type { EvidenceSighting } from "#lib/model/evidence.ts";
import type {
  DeploymentPlace,
  ServerRecord,
  SignalTarget,
  SoftwareConfigRecord,
} from "#lib/model/software-config.ts";
import { NOW } from "./records.ts";

export const aConfig = (): SoftwareConfigRecord => ({
  tenant: "tenant",
  id: randomUUID(),
  stackId: "stack",
  content: "sealed",
  createdAt: NOW,
});

export const aServer = (): ServerRecord => ({
  tenant: "tenant",
  id: randomUUID(),
  stackId: "stack",
  resourceName: "server",
  gen: 1,
  metadata: "sealed",
});

export const aPlace = (): DeploymentPlace => ({
  tenant: "tenant",
  id: randomUUID(),
  serverId: "server",
  stackId: "stack",
});

export const aTarget = (): SignalTarget => ({
  derivedConfigId: randomUUID(),
  tenant: "tenant",
  stackId: "stack",
  resourceId: "row",
  serverId: "server",
  deploymentId: "deployment",
  generation: 1,
  expiresAt: NOW + 1,
});

export const aSighting = (changes: Partial<EvidenceSighting> = {}): EvidenceSighting => ({
  tenant: "tenant",
  stackId: "stack",
  serverId: randomUUID(),
  deploymentId: null,
  kind: "bad_signature",
  firstSeenAt: NOW,
  lastSeenAt: NOW,
  expiresAt: NOW + 10_000_000,
  ...changes,
});
