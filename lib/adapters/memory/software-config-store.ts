import type { Evidence, EvidenceSighting } from "#lib/model/evidence.ts";
import {
  type DeliverySighting,
  NOTHING_SEEN_OF_DELIVERY,
  NOTHING_SEEN_OF_SERVER,
  type PollRoll,
  type ServerSighting,
} from "#lib/model/sighting.ts";
import type {
  DeploymentPlace,
  DeploymentRecord,
  ServerRecord,
  SignalTarget,
  SoftwareConfigRecord,
  TakenMachine,
} from "#lib/model/software-config.ts";
import {
  evidenceKey,
  localSoftwareConfigStore,
  type NotedDelivery,
  type NotedServer,
} from "../local/software-configs.ts";
import { memoryDocuments, mergingDocuments } from "./documents.ts";

const memoryTables = () => ({
  configs: memoryDocuments<SoftwareConfigRecord>(({ tenant, id }) => [tenant, id]),
  servers: memoryDocuments<ServerRecord>(({ id }) => [id]),
  deployments: memoryDocuments<DeploymentRecord>(({ serverId, id }) => [serverId, id]),
  places: memoryDocuments<DeploymentPlace>(({ tenant, id }) => [tenant, id]),
  targets: memoryDocuments<SignalTarget>(({ derivedConfigId }) => [derivedConfigId]),
  machines: memoryDocuments<TakenMachine>(({ tenant, name }) => [tenant, name]),
  evidence: mergingDocuments<Evidence, EvidenceSighting>(evidenceKey, (stored, sighting) => ({
    ...sighting,
    count: (stored?.count ?? 0) + 1,
  })),
  serverSightings: mergingDocuments<ServerSighting, NotedServer>(
    ({ serverId }) => [serverId],
    (stored, noted) => ({ ...NOTHING_SEEN_OF_SERVER, ...stored, ...noted }),
  ),
  deliverySightings: mergingDocuments<DeliverySighting, NotedDelivery>(
    ({ serverId, derivedConfigId }) => [serverId, derivedConfigId],
    (stored, noted) => ({ ...NOTHING_SEEN_OF_DELIVERY, ...stored, ...noted }),
  ),
  pollRolls: memoryDocuments<PollRoll>(({ shard, writer }) => [shard, writer]),
});

export const memorySoftwareConfigStore = () => {
  const tables = memoryTables();
  return {
    ...localSoftwareConfigStore(tables, async (work) => work()),
    configs: tables.configs.all,
    servers: tables.servers.all,
    deployments: tables.deployments.all,
    signalTargets: tables.targets.all,
    takenMachines: tables.machines.all,
    evidence: tables.evidence.all,
    serverSightings: tables.serverSightings.all,
    deliverySightings: tables.deliverySightings.all,
    pollRolls: tables.pollRolls.all,
    purgeExpired: (now: number): void => {
      for (const table of Object.values(tables)) table.purgeExpired(now);
    },
  };
};
