import type { Evidence, EvidenceSighting } from "#lib/model/evidence.ts";
import type {
  DeliveryFindings,
  DeliverySighting,
  PollRoll,
  ServerFindings,
  ServerSighting,
  SightedDelivery,
  SightedServer,
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
  type DeploymentClause,
  deploymentClauseHolds,
  machineClauseHolds,
  ownerClauseHolds,
  whenChanged,
  whenDeleted,
  whenDeletedBy,
  whenPublished,
  whenReleased,
  whenTaking,
  whenWrittenBy,
} from "#lib/ports/conditions.ts";
import type {
  Deployments,
  EvidenceKey,
  EvidenceRecords,
  Machines,
  OutlinedDeployment,
  Sightings,
  SoftwareConfigStore,
} from "#lib/ports/software-config-store.ts";
import type { Atomically, Documents } from "./store.ts";

export type NotedServer = SightedServer & Partial<ServerFindings>;
export type NotedDelivery = SightedDelivery & Partial<DeliveryFindings>;

export interface SoftwareConfigTables {
  readonly configs: Documents<SoftwareConfigRecord>;
  readonly servers: Documents<ServerRecord>;
  readonly deployments: Documents<DeploymentRecord>;
  readonly places: Documents<DeploymentPlace>;
  readonly targets: Documents<SignalTarget>;
  readonly machines: Documents<TakenMachine>;
  readonly evidence: Documents<Evidence, EvidenceSighting>;
  readonly serverSightings: Documents<ServerSighting, NotedServer>;
  readonly deliverySightings: Documents<DeliverySighting, NotedDelivery>;
  readonly pollRolls: Documents<PollRoll>;
}

export const localSoftwareConfigStore = (
  tables: SoftwareConfigTables,
  atomically: Atomically,
): SoftwareConfigStore => {
  const { configs, servers, places, targets } = tables;
  return {
    putConfig: (config) =>
      atomically(() => {
        configs.insert(config);
      }),
    getConfig: async (tenant, id) => configs.get(tenant, id),
    deleteConfig: (tenant, id) => atomically(() => configs.delete(tenant, id)),
    listConfigs: async (tenant) => configs.list(tenant),

    putServer: (server) => atomically(() => putOwn(servers, [server.id], server)),
    getServer: async (id) => servers.get(id),
    deleteServer: (tenant, id) =>
      atomically(() => {
        if (ownerClauseHolds(whenDeletedBy(tenant), servers.get(id))) servers.delete(id);
      }),
    getServerDocument: (id) =>
      atomically(() => ({ server: servers.get(id), deployments: tables.deployments.list(id) })),
    getDocumentOutline: (id) =>
      atomically(() => {
        const server = servers.get(id);
        return {
          server: server && outlineOfServer(server),
          deployments: tables.deployments.list(id).map(outlineOfDeployment),
        };
      }),

    putDeploymentPlace: (place) =>
      atomically(() => {
        places.insert(place);
      }),
    getDeploymentPlace: async (tenant, id) => places.get(tenant, id),
    listDeploymentPlaces: async (tenant) => places.list(tenant),
    deleteDeploymentPlace: (tenant, id) => atomically(() => places.delete(tenant, id)),

    putSignalTarget: (target) =>
      atomically(() => {
        targets.insert(target);
      }),
    replaceSignalTarget: async (target) => {
      await atomically(() => putOwn(targets, [target.derivedConfigId], target));
    },
    getSignalTarget: async (derivedConfigId) => targets.get(derivedConfigId),

    ...deploymentsIn(tables.deployments, atomically),
    ...machinesIn(tables.machines, atomically),
    ...evidenceIn(tables.evidence, atomically),
    ...sightingsIn(tables, atomically),
  };
};

type Owned = { readonly tenant: string };

/**
 * Must be called in an atomic step.
 * @returns whether it has written.
 */
const putOwn = <Stored extends Owned, Written extends Owned>(
  documents: Documents<Stored, Written>,
  key: readonly string[],
  record: Written,
): boolean => {
  const isWritten = ownerClauseHolds(whenWrittenBy(record), documents.get(...key));
  if (isWritten) documents.put(record);
  return isWritten;
};

const outlineOfServer = ({ tenant, id, gen, metadata }: ServerRecord) => ({
  tenant,
  id,
  gen,
  metadata,
});

const outlineOfDeployment = (deployment: DeploymentRecord): OutlinedDeployment => {
  const { tenant, id, derivedConfigId, name, resourceName, action, createdAt } = deployment;
  return { tenant, id, derivedConfigId, name, resourceName, action, createdAt };
};

const deploymentsIn = (
  deployments: Documents<DeploymentRecord>,
  atomically: Atomically,
): Deployments => {
  const write = (
    deployment: DeploymentRecord,
    when: readonly DeploymentClause[],
  ): Promise<boolean> =>
    atomically(() => {
      const stored = deployments.get(deployment.serverId, deployment.id);
      const isWritten = when.every((clause) => deploymentClauseHolds(clause, stored));
      if (isWritten) deployments.put(deployment);
      return isWritten;
    });
  return {
    publishDeployment: (deployment) => write(deployment, whenPublished(deployment)),
    changeDeployment: (deployment, asRead) => write(deployment, whenChanged(deployment, asRead)),
    getDeployment: async (serverId, id) => deployments.get(serverId, id),
    listDeployments: async (serverId) => deployments.list(serverId),
    deleteDeployment: ({ tenant, serverId, id }, generation) =>
      atomically(() => {
        const stored = deployments.get(serverId, id);
        const when = whenDeleted(tenant, generation);
        if (when.every((clause) => deploymentClauseHolds(clause, stored)))
          deployments.delete(serverId, id);
      }),
  };
};

const machinesIn = (machines: Documents<TakenMachine>, atomically: Atomically): Machines => ({
  takeMachine: (taking) =>
    atomically(() => {
      const stored = machines.get(taking.tenant, taking.name);
      const isWritten = machineClauseHolds(whenTaking(taking), stored);
      if (isWritten) machines.put(taking);
      return isWritten;
    }),
  releaseMachine: (taken) =>
    atomically(() => {
      const stored = machines.get(taken.tenant, taken.name);
      if (machineClauseHolds(whenReleased(taken), stored))
        machines.delete(taken.tenant, taken.name);
    }),
  listTakenMachines: async (tenant) => machines.list(tenant),
});

export const evidenceKey = ({ serverId, deploymentId, kind }: EvidenceKey) =>
  [serverId, deploymentId ?? "", kind] as const;

const evidenceIn = (
  evidence: SoftwareConfigTables["evidence"],
  atomically: Atomically,
): EvidenceRecords => ({
  addEvidence: async (sighting) => {
    await atomically(() => putOwn(evidence, evidenceKey(sighting), sighting));
  },
  getEvidence: async (key) => evidence.get(...evidenceKey(key)),
  listEvidence: async (serverId) => evidence.list(serverId),
});

const sightingsIn = (
  {
    serverSightings: servers,
    deliverySightings: deliveries,
    pollRolls: rolls,
  }: SoftwareConfigTables,
  atomically: Atomically,
): Sightings => ({
  noteServer: async (server, findings) => {
    await atomically(() => putOwn(servers, [server.serverId], { ...server, ...findings }));
  },
  getServerSighting: async (serverId) => servers.get(serverId),
  noteDelivery: async (delivery, findings) => {
    const key = [delivery.serverId, delivery.derivedConfigId];
    await atomically(() => putOwn(deliveries, key, { ...delivery, ...findings }));
  },
  getDelivery: async (serverId, derivedConfigId) => deliveries.get(serverId, derivedConfigId),
  listDeliveries: async (serverId) => deliveries.list(serverId),
  putPollRoll: (roll) => atomically(() => rolls.put(roll)),
  listPollRolls: async (shard) => rolls.list(shard),
});
