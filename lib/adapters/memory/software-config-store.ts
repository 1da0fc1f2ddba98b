import type { DeploymentPlace, DeploymentRecord, SignalTarget } from "#lib/model/deployment.ts";
import type { Evidence } from "#lib/model/evidence.ts";
import type { ServerRecord } from "#lib/model/server.ts";
import type { DeliverySighting, ServerSighting } from "#lib/model/sighting.ts";
import type { SoftwareConfigRecord } from "#lib/model/software-config.ts";
import type { EvidenceKey, SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import { memorySightings } from "./sightings.ts";

export interface MemorySoftwareConfigStore extends SoftwareConfigStore {
  configs(): readonly SoftwareConfigRecord[];
  servers(): readonly ServerRecord[];
  deployments(): readonly DeploymentRecord[];
  signalTargets(): readonly SignalTarget[];
  evidence(): readonly Evidence[];
  serverSightings(): readonly ServerSighting[];
  deliverySightings(): readonly DeliverySighting[];
  /** Removes the signal targets, the evidence and the sightings whose `expiresAt` has passed. */
  purgeExpired(now: number): void;
}

const keyOf = (tenant: string, id: string): string => `${tenant}/${id}`;

type Places = Pick<
  SoftwareConfigStore,
  "putDeploymentPlace" | "getDeploymentPlace" | "listDeploymentPlaces" | "deleteDeploymentPlace"
>;

const memoryPlaces = (): Places => {
  const places = new Map<string, DeploymentPlace>();
  return {
    putDeploymentPlace: async (place) => {
      const key = keyOf(place.tenant, place.id);
      if (!places.has(key)) places.set(key, place);
    },
    getDeploymentPlace: async (tenant, id) => places.get(keyOf(tenant, id)) ?? null,
    listDeploymentPlaces: async (tenant) =>
      [...places.values()].filter((place) => place.tenant === tenant),
    deleteDeploymentPlace: async (tenant, id) => {
      places.delete(keyOf(tenant, id));
    },
  };
};

type Evidences = Pick<SoftwareConfigStore, "addEvidence" | "getEvidence" | "listEvidence"> &
  Pick<MemorySoftwareConfigStore, "evidence" | "purgeExpired">;

const memoryEvidence = (): Evidences => {
  const evidence = new Map<string, Evidence>();
  const evidenceKey = ({ serverId, deploymentId, kind }: EvidenceKey): string =>
    `${serverId}/${deploymentId ?? ""}/${kind}`;
  return {
    evidence: () => [...evidence.values()],
    purgeExpired: (now) => {
      for (const [key, seen] of evidence) if (seen.expiresAt <= now) evidence.delete(key);
    },
    addEvidence: async (sighting) => {
      const key = evidenceKey(sighting);
      evidence.set(key, { ...sighting, count: (evidence.get(key)?.count ?? 0) + 1 });
    },
    getEvidence: async (key) => evidence.get(evidenceKey(key)) ?? null,
    listEvidence: async (serverId) =>
      [...evidence.values()].filter((seen) => seen.serverId === serverId),
  };
};

type Deployments = Pick<
  SoftwareConfigStore,
  | "publishDeployment"
  | "changeDeployment"
  | "getDeployment"
  | "listDeployments"
  | "deleteDeployment"
>;

const memoryDeployments = () => {
  const deployments = new Map<string, Map<string, DeploymentRecord>>();
  const port: Deployments = {
    publishDeployment: async (deployment) => {
      const ofServer = deployments.get(deployment.serverId) ?? new Map<string, DeploymentRecord>();
      const stored = ofServer.get(deployment.id);
      if (stored && stored.generation >= deployment.generation) return false;
      ofServer.set(deployment.id, deployment);
      deployments.set(deployment.serverId, ofServer);
      return true;
    },
    changeDeployment: async (deployment, { generation, delivery, status }) => {
      const ofServer = deployments.get(deployment.serverId);
      const stored = ofServer?.get(deployment.id);
      const isAsRead =
        stored?.generation === generation &&
        stored.delivery === delivery &&
        stored.status === status;
      if (isAsRead) ofServer?.set(deployment.id, deployment);
      return isAsRead;
    },
    getDeployment: async (serverId, id) => deployments.get(serverId)?.get(id) ?? null,
    listDeployments: async (serverId) => [...(deployments.get(serverId)?.values() ?? [])],
    deleteDeployment: async (serverId, id, generation) => {
      const stored = deployments.get(serverId)?.get(id);
      if (stored && stored.generation <= generation) deployments.get(serverId)?.delete(id);
    },
  };
  const all = (): readonly DeploymentRecord[] =>
    [...deployments.values()].flatMap((ofServer) => [...ofServer.values()]);
  return { port, all };
};

export const memorySoftwareConfigStore = (): MemorySoftwareConfigStore => {
  const configs = new Map<string, SoftwareConfigRecord>();
  const servers = new Map<string, ServerRecord>();
  const deployments = memoryDeployments();
  const targets = new Map<string, SignalTarget>();
  const evidence = memoryEvidence();
  const { purgeSightings, ...sightings } = memorySightings();

  return {
    ...evidence,
    configs: () => [...configs.values()],
    servers: () => [...servers.values()],
    deployments: deployments.all,
    signalTargets: () => [...targets.values()],
    purgeExpired: (now) => {
      for (const [id, target] of targets) if (target.expiresAt <= now) targets.delete(id);
      evidence.purgeExpired(now);
      purgeSightings(now);
    },

    putConfig: async (config) => {
      const key = keyOf(config.tenant, config.id);
      if (!configs.has(key)) configs.set(key, config);
    },
    getConfig: async (tenant, id) => configs.get(keyOf(tenant, id)) ?? null,
    deleteConfig: async (tenant, id) => {
      configs.delete(keyOf(tenant, id));
    },
    listConfigs: async (tenant) =>
      [...configs.values()].filter((config) => config.tenant === tenant),

    putServer: async (server) => {
      servers.set(server.id, server);
    },
    getServer: async (id) => servers.get(id) ?? null,
    deleteServer: async (id) => {
      servers.delete(id);
    },

    ...deployments.port,
    ...memoryPlaces(),
    ...sightings,

    putSignalTarget: async (target) => {
      if (!targets.has(target.derivedConfigId)) targets.set(target.derivedConfigId, target);
    },
    getSignalTarget: async (derivedConfigId) => targets.get(derivedConfigId) ?? null,
  };
};
