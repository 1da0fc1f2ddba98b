import type { DeploymentPlace, DeploymentRecord, SignalTarget } from "#lib/model/deployment.ts";
import type { Evidence } from "#lib/model/evidence.ts";
import type { ServerRecord } from "#lib/model/server.ts";
import {
  type DeliverySighting,
  NOTHING_SEEN_OF_DELIVERY,
  NOTHING_SEEN_OF_SERVER,
  type ServerSighting,
} from "#lib/model/sighting.ts";
import type { SoftwareConfigRecord } from "#lib/model/software-config.ts";
import {
  type DeploymentClause,
  deploymentClauseHolds,
  whenChanged,
  whenDeleted,
  whenPublished,
} from "#lib/ports/conditions.ts";
import type {
  DeploymentPlaces,
  Deployments,
  EvidenceKey,
  EvidenceRecords,
  Servers,
  Sightings,
  SignalTargets,
  SoftwareConfigStore,
  SoftwareConfigs,
} from "#lib/ports/software-config-store.ts";
import { type DocumentKey, type Documents, expiredBy, memoryDocuments } from "./documents.ts";

export interface MemorySoftwareConfigStore extends SoftwareConfigStore {
  configs(): readonly SoftwareConfigRecord[];
  servers(): readonly ServerRecord[];
  deployments(): readonly DeploymentRecord[];
  signalTargets(): readonly SignalTarget[];
  evidence(): readonly Evidence[];
  serverSightings(): readonly ServerSighting[];
  deliverySightings(): readonly DeliverySighting[];
  /** Deletes the signal targets, the evidence and the sightings whose `expiresAt` has passed. */
  purgeExpired(now: number): void;
}

const configsIn = (configs: Documents<SoftwareConfigRecord>): SoftwareConfigs => ({
  putConfig: async (config) => {
    configs.insert(config);
  },
  getConfig: async (tenant, id) => configs.get(tenant, id),
  deleteConfig: async (tenant, id) => {
    configs.delete(tenant, id);
  },
  listConfigs: async (tenant) => configs.list(tenant),
});

const serversIn = (servers: Documents<ServerRecord>): Servers => ({
  putServer: async (server) => servers.put(server),
  getServer: async (id) => servers.get(id),
  deleteServer: async (id) => {
    servers.delete(id);
  },
});

const deploymentsIn = (deployments: Documents<DeploymentRecord>): Deployments => {
  const write = (deployment: DeploymentRecord, when: DeploymentClause): boolean => {
    const stored = deployments.get(deployment.serverId, deployment.id);
    const isWritten = deploymentClauseHolds(when, stored);
    if (isWritten) deployments.put(deployment);
    return isWritten;
  };
  return {
    publishDeployment: async (deployment) => write(deployment, whenPublished(deployment)),
    changeDeployment: async (deployment, asRead) => write(deployment, whenChanged(asRead)),
    getDeployment: async (serverId, id) => deployments.get(serverId, id),
    listDeployments: async (serverId) => deployments.list(serverId),
    deleteDeployment: async (serverId, id, generation) => {
      const stored = deployments.get(serverId, id);
      if (deploymentClauseHolds(whenDeleted(generation), stored)) deployments.delete(serverId, id);
    },
  };
};

const placesIn = (places: Documents<DeploymentPlace>): DeploymentPlaces => ({
  putDeploymentPlace: async (place) => {
    places.insert(place);
  },
  getDeploymentPlace: async (tenant, id) => places.get(tenant, id),
  listDeploymentPlaces: async (tenant) => places.list(tenant),
  deleteDeploymentPlace: async (tenant, id) => {
    places.delete(tenant, id);
  },
});

const targetsIn = (targets: Documents<SignalTarget>): SignalTargets => ({
  putSignalTarget: async (target) => {
    targets.insert(target);
  },
  getSignalTarget: async (derivedConfigId) => targets.get(derivedConfigId),
});

const evidenceKey = ({ serverId, deploymentId, kind }: EvidenceKey): DocumentKey => [
  serverId,
  deploymentId ?? "",
  kind,
];

const evidenceIn = (evidence: Documents<Evidence>): EvidenceRecords => ({
  addEvidence: async (sighting) => {
    const count = (evidence.get(...evidenceKey(sighting))?.count ?? 0) + 1;
    evidence.put({ ...sighting, count });
  },
  getEvidence: async (key) => evidence.get(...evidenceKey(key)),
  listEvidence: async (serverId) => evidence.list(serverId),
});

const sightingsIn = (
  servers: Documents<ServerSighting>,
  deliveries: Documents<DeliverySighting>,
): Sightings => ({
  noteServer: async (server, findings) => {
    const known = servers.get(server.serverId) ?? NOTHING_SEEN_OF_SERVER;
    servers.put({ ...known, ...server, ...findings });
  },
  getServerSighting: async (serverId) => servers.get(serverId),
  noteDelivery: async (delivery, findings) => {
    const { serverId, derivedConfigId } = delivery;
    const known = deliveries.get(serverId, derivedConfigId) ?? NOTHING_SEEN_OF_DELIVERY;
    deliveries.put({ ...known, ...delivery, ...findings });
  },
  getDelivery: async (serverId, derivedConfigId) => deliveries.get(serverId, derivedConfigId),
  listDeliveries: async (serverId) => deliveries.list(serverId),
});

export const memorySoftwareConfigStore = (): MemorySoftwareConfigStore => {
  const configs = memoryDocuments<SoftwareConfigRecord>(({ tenant, id }) => [tenant, id]);
  const servers = memoryDocuments<ServerRecord>(({ id }) => [id]);
  const deployments = memoryDocuments<DeploymentRecord>(({ serverId, id }) => [serverId, id]);
  const places = memoryDocuments<DeploymentPlace>(({ tenant, id }) => [tenant, id]);
  const targets = memoryDocuments<SignalTarget>(({ derivedConfigId }) => [derivedConfigId]);
  const evidence = memoryDocuments<Evidence>(evidenceKey);
  const serverSightings = memoryDocuments<ServerSighting>(({ serverId }) => [serverId]);
  const deliverySightings = memoryDocuments<DeliverySighting>((delivery) => [
    delivery.serverId,
    delivery.derivedConfigId,
  ]);

  return {
    ...configsIn(configs),
    ...serversIn(servers),
    ...deploymentsIn(deployments),
    ...placesIn(places),
    ...targetsIn(targets),
    ...evidenceIn(evidence),
    ...sightingsIn(serverSightings, deliverySightings),
    configs: configs.all,
    servers: servers.all,
    deployments: deployments.all,
    signalTargets: targets.all,
    evidence: evidence.all,
    serverSightings: serverSightings.all,
    deliverySightings: deliverySightings.all,
    purgeExpired: (now) => {
      for (const expiring of [targets, evidence, serverSightings, deliverySightings])
        expiring.purge(expiredBy(now));
    },
  };
};
