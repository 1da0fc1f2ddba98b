import * as z from "zod";
import type { DeploymentPlace, DeploymentRecord } from "#lib/model/deployment.ts";
import type { SoftwareConfigRecord } from "#lib/model/software-config.ts";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import {
  anyOf,
  generationAtMost,
  generationBelow,
  itemDoesNotExist,
  standsAs,
} from "./conditions/item-clauses.ts";
import type { EvidenceMethods } from "./evidence.ts";
import {
  configItem,
  deploymentItem,
  deploymentPlaceItem,
  serverItem,
  signalTargetItem,
} from "./items/software-config-items.ts";
import {
  configKey,
  configsOf,
  deploymentKey,
  deploymentPlaceKey,
  deploymentPlacesOf,
  deploymentsOf,
  serverKey,
  signalTargetKey,
} from "./keys.ts";
import type { SightingMethods } from "./sightings.ts";
import type { Item, Table } from "./table.ts";
import { ttlOf } from "./ttl.ts";

type SoftwareConfigMethods = Omit<
  SoftwareConfigStore,
  keyof EvidenceMethods | keyof SightingMethods
>;

export const dynamoSoftwareConfigs = (table: Table): SoftwareConfigMethods => {
  const read = async <Record>(
    key: Item,
    schema: { parse(item: unknown): Record },
  ): Promise<Record | null> => {
    const item = await table.get(key);
    return item && schema.parse(item);
  };

  return {
    putConfig: async (config) => {
      const key = configKey(config.tenant, config.id);
      await table.put(key, z.encode(configItem, config), [itemDoesNotExist("pk")]);
    },
    getConfig: (tenant, id) => read(configKey(tenant, id), configItem),
    deleteConfig: (tenant, id) => table.delete(configKey(tenant, id), []),
    listConfigs: async (tenant) => {
      const configs: SoftwareConfigRecord[] = [];
      for await (const item of table.query(configsOf(tenant))) configs.push(configItem.parse(item));
      return configs;
    },

    putServer: async (server) => {
      await table.put(serverKey(server.id), z.encode(serverItem, server), []);
    },
    getServer: (id) => read(serverKey(id), serverItem),
    deleteServer: (id) => table.delete(serverKey(id), []),

    publishDeployment: async (deployment) => {
      const { serverId, id, generation } = deployment;
      const isNewer = anyOf(itemDoesNotExist("pk"), generationBelow(generation));
      const attributes = z.encode(deploymentItem, deployment);
      return (await table.put(deploymentKey(serverId, id), attributes, [isNewer])).written;
    },
    changeDeployment: async (deployment, asRead) => {
      const key = deploymentKey(deployment.serverId, deployment.id);
      const attributes = z.encode(deploymentItem, deployment);
      return (await table.put(key, attributes, [standsAs(asRead)])).written;
    },
    getDeployment: (serverId, id) => read(deploymentKey(serverId, id), deploymentItem),
    listDeployments: async (serverId) => {
      const deployments: DeploymentRecord[] = [];
      for await (const item of table.query(deploymentsOf(serverId)))
        deployments.push(deploymentItem.parse(item));
      return deployments;
    },
    deleteDeployment: (serverId, id, generation) =>
      table.delete(deploymentKey(serverId, id), [generationAtMost(generation)]),

    putDeploymentPlace: async (place) => {
      const key = deploymentPlaceKey(place.tenant, place.id);
      await table.put(key, z.encode(deploymentPlaceItem, place), [itemDoesNotExist("pk")]);
    },
    getDeploymentPlace: (tenant, id) => read(deploymentPlaceKey(tenant, id), deploymentPlaceItem),
    listDeploymentPlaces: async (tenant) => {
      const places: DeploymentPlace[] = [];
      for await (const item of table.query(deploymentPlacesOf(tenant)))
        places.push(deploymentPlaceItem.parse(item));
      return places;
    },
    deleteDeploymentPlace: (tenant, id) => table.delete(deploymentPlaceKey(tenant, id), []),

    putSignalTarget: async (target) => {
      const attributes = { ...z.encode(signalTargetItem, target), ...ttlOf(target.expiresAt) };
      const key = signalTargetKey(target.derivedConfigId);
      await table.put(key, attributes, [itemDoesNotExist("pk")]);
    },
    getSignalTarget: (derivedConfigId) => read(signalTargetKey(derivedConfigId), signalTargetItem),
  };
};
