/** The tables of software configuration. */
import type { DeploymentPlace, DeploymentRecord, SignalTarget } from "#lib/model/deployment.ts";
import type { Evidence } from "#lib/model/evidence.ts";
import type { ServerRecord } from "#lib/model/server.ts";
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
  SignalTargets,
  SoftwareConfigStore,
  SoftwareConfigs,
} from "#lib/ports/software-config-store.ts";
import type { Database } from "./database.ts";
import { sqliteDocuments } from "./documents.ts";
import { sqliteSightings } from "./sightings.ts";

export const sqliteSoftwareConfigStore = (database: Database): SoftwareConfigStore => ({
  ...sqliteConfigs(database),
  ...sqliteServers(database),
  ...sqliteDeployments(database),
  ...sqlitePlaces(database),
  ...sqliteTargets(database),
  ...sqliteEvidence(database),
  ...sqliteSightings(database),
});

const sqliteConfigs = (database: Database): SoftwareConfigs => {
  const configs = sqliteDocuments<SoftwareConfigRecord>(database, {
    name: "software_configs",
    key: ["tenant", "id"],
    columns: { tenant: ({ tenant }) => tenant, id: ({ id }) => id },
  });
  return {
    putConfig: async (config) => {
      configs.insert(config);
    },
    getConfig: async (tenant, id) => configs.get(tenant, id),
    deleteConfig: async (tenant, id) => configs.delete(tenant, id),
    listConfigs: async (tenant) => configs.list(tenant),
  };
};

const sqliteServers = (database: Database): Servers => {
  const servers = sqliteDocuments<ServerRecord>(database, {
    name: "servers",
    key: ["id"],
    columns: { id: ({ id }) => id },
  });
  return {
    putServer: async (server) => servers.put(server),
    getServer: async (id) => servers.get(id),
    deleteServer: async (id) => servers.delete(id),
  };
};

const sqliteDeployments = (database: Database): Deployments => {
  const deployments = sqliteDocuments<DeploymentRecord>(database, {
    name: "deployments",
    key: ["server_id", "id"],
    columns: {
      server_id: ({ serverId }) => serverId,
      id: ({ id }) => id,
      generation: ({ generation }) => generation,
    },
  });
  const write = (deployment: DeploymentRecord, when: DeploymentClause): Promise<boolean> =>
    database.grouped(() => {
      const stored = deployments.get(deployment.serverId, deployment.id);
      const isWritten = deploymentClauseHolds(when, stored);
      if (isWritten) deployments.put(deployment);
      return isWritten;
    });
  return {
    publishDeployment: (deployment) => write(deployment, whenPublished(deployment)),
    changeDeployment: (deployment, asRead) => write(deployment, whenChanged(asRead)),
    getDeployment: async (serverId, id) => deployments.get(serverId, id),
    listDeployments: async (serverId) => deployments.list(serverId),
    deleteDeployment: (serverId, id, generation) =>
      database.grouped(() => {
        const stored = deployments.get(serverId, id);
        if (deploymentClauseHolds(whenDeleted(generation), stored))
          deployments.delete(serverId, id);
      }),
  };
};

const sqlitePlaces = (database: Database): DeploymentPlaces => {
  const places = sqliteDocuments<DeploymentPlace>(database, {
    name: "deployment_places",
    key: ["tenant", "id"],
    columns: { tenant: ({ tenant }) => tenant, id: ({ id }) => id },
  });
  return {
    putDeploymentPlace: async (place) => {
      places.insert(place);
    },
    getDeploymentPlace: async (tenant, id) => places.get(tenant, id),
    listDeploymentPlaces: async (tenant) => places.list(tenant),
    deleteDeploymentPlace: async (tenant, id) => places.delete(tenant, id),
  };
};

const sqliteTargets = (database: Database): SignalTargets => {
  const targets = sqliteDocuments<SignalTarget>(database, {
    name: "signal_targets",
    key: ["derived_config_id"],
    columns: {
      derived_config_id: ({ derivedConfigId }) => derivedConfigId,
      expires_at: ({ expiresAt }) => expiresAt,
    },
  });
  return {
    putSignalTarget: async (target) => {
      targets.insert(target);
    },
    getSignalTarget: async (derivedConfigId) => targets.get(derivedConfigId),
  };
};

/** SQLite's keys take no null. Evidence about a server itself has the empty text instead. */
const NO_DEPLOYMENT = "";

/** Everything but the count is the newer sighting's. */
const COUNTED = "json_set(excluded.body, '$.count', json_extract(body, '$.count') + 1)";

const sqliteEvidence = (database: Database): EvidenceRecords => {
  const keyOf = ({ serverId, deploymentId, kind }: EvidenceKey) =>
    [serverId, deploymentId ?? NO_DEPLOYMENT, kind] as const;
  const evidence = sqliteDocuments<Evidence>(database, {
    name: "evidence",
    key: ["server_id", "deployment_id", "kind"],
    columns: {
      server_id: ({ serverId }) => serverId,
      deployment_id: ({ deploymentId }) => deploymentId ?? NO_DEPLOYMENT,
      kind: ({ kind }) => kind,
      expires_at: ({ expiresAt }) => expiresAt,
    },
    mergedBody: COUNTED,
  });
  return {
    addEvidence: async (sighting) => evidence.put({ ...sighting, count: 1 }),
    getEvidence: async (key) => evidence.get(...keyOf(key)),
    listEvidence: async (serverId) => evidence.list(serverId),
  };
};
