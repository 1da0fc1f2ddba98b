import type { DeploymentRecord, ServerRecord, TakenMachine } from "#lib/model/software-config.ts";
import {
  type DeploymentClause,
  type MachineClause,
  whenChanged,
  whenDeleted,
  whenDeletedBy,
  whenPublished,
  whenReleased,
  whenTaking,
  whenWrittenBy,
} from "#lib/ports/conditions.ts";
import type {
  DeploymentPlaces,
  Deployments,
  DocumentOutline,
  Machines,
  OutlinedDeployment,
  Servers,
  SignalTargets,
  SoftwareConfigs,
} from "#lib/ports/software-config-store.ts";
import { type Clause, ownerClause } from "./conditions.ts";
import { ttlOf } from "./items/attributes.ts";
import {
  configItem,
  deploymentItem,
  deploymentPlaceItem,
  outlinedDeploymentItem,
  outlinedServerItem,
  serverItem,
  signalTargetItem,
  takenMachineItem,
} from "./items/software-config-items.ts";
import {
  configKey,
  configsOf,
  deploymentKey,
  deploymentPlaceKey,
  deploymentPlacesOf,
  deploymentsOf,
  isServerKey,
  pairSchema,
  serverDocumentOf,
  serverKey,
  signalTargetKey,
  takenMachineKey,
  takenMachinesOf,
} from "./keys.ts";
import { recordsIn } from "./records.ts";
import type { Table } from "./table.ts";
import { OUTLINE_INDEX } from "./tables.ts";

const machineClause =
  (clause: MachineClause): Clause =>
  ({ name, text }) => {
    const free = () => `attribute_not_exists(${name("pk")})`;
    if (clause.clause === "isFree") return free();
    const { stackId, resourceName } = clause.holder;
    const isTakenFor = `${name("stackId")} = ${text(stackId)} AND ${name("resourceName")} = ${text(resourceName)}`;
    if (clause.clause === "isFreeOrTakenFor") return `${free()} OR (${isTakenFor})`;
    return clause.serverId === null
      ? `${isTakenFor} AND attribute_not_exists(${name("serverId")})`
      : `${isTakenFor} AND ${name("serverId")} = ${text(clause.serverId)}`;
  };

const deploymentClause =
  (clause: DeploymentClause): Clause =>
  (expression) => {
    const { name, number, text } = expression;
    switch (clause.clause) {
      case "isOf":
      case "isNewOrOf":
        return ownerClause(clause)(expression);
      case "generationBelow":
        return `attribute_not_exists(${name("pk")}) OR ${name("generation")} < ${number(clause.generation)}`;
      case "generationAtMost":
        return `${name("generation")} <= ${number(clause.generation)}`;
      case "standsAs": {
        const { generation, delivery, status } = clause.standing;
        return `${name("generation")} = ${number(generation)} AND ${name("delivery")} = ${number(delivery)} AND ${name("status")} = ${text(status)}`;
      }
    }
  };

export const dynamoConfigs = (table: Table): SoftwareConfigs => {
  const configs = recordsIn(table, configItem);
  return {
    putConfig: async (config) => {
      await configs.insert(configKey(config.tenant, config.id), config);
    },
    getConfig: (tenant, id) => configs.get(configKey(tenant, id)),
    deleteConfig: (tenant, id) => table.delete(configKey(tenant, id), []),
    listConfigs: (tenant) => configs.list(configsOf(tenant)),
  };
};

export const dynamoServers = (table: Table): Servers => {
  const servers = recordsIn(table, serverItem);
  return {
    putServer: (server) =>
      servers.put(serverKey(server.id), server, [ownerClause(whenWrittenBy(server))]),
    getServer: (id) => servers.get(serverKey(id)),
    deleteServer: (tenant, id) => table.delete(serverKey(id), [ownerClause(whenDeletedBy(tenant))]),
    getServerDocument: async (id, reading) => {
      let server: ServerRecord | null = null;
      const deployments: DeploymentRecord[] = [];
      const options = { eventual: reading === "eventual" };
      for await (const item of table.query(serverDocumentOf(id), options)) {
        if (isServerKey(pairSchema.parse(item).sk.S)) server = serverItem.parse(item);
        else deployments.push(deploymentItem.parse(item));
      }
      return { server, deployments };
    },
    getDocumentOutline: async (id) => {
      let server: DocumentOutline["server"] = null;
      const deployments: OutlinedDeployment[] = [];
      const options = { eventual: true, index: OUTLINE_INDEX };
      for await (const item of table.query(serverDocumentOf(id), options)) {
        if (isServerKey(pairSchema.parse(item).sk.S)) server = outlinedServerItem.parse(item);
        else deployments.push(outlinedDeploymentItem.parse(item));
      }
      return { server, deployments };
    },
  };
};

export const dynamoDeployments = (table: Table): Deployments => {
  const deployments = recordsIn(table, deploymentItem);
  const write = (
    deployment: DeploymentRecord,
    when: readonly DeploymentClause[],
  ): Promise<boolean> => {
    const key = deploymentKey(deployment.serverId, deployment.id);
    return deployments.put(key, deployment, when.map(deploymentClause));
  };
  return {
    publishDeployment: (deployment) => write(deployment, whenPublished(deployment)),
    changeDeployment: (deployment, asRead) => write(deployment, whenChanged(deployment, asRead)),
    getDeployment: (serverId, id) => deployments.get(deploymentKey(serverId, id)),
    listDeployments: (serverId) => deployments.list(deploymentsOf(serverId)),
    deleteDeployment: ({ tenant, serverId, id }, generation) =>
      table.delete(
        deploymentKey(serverId, id),
        whenDeleted(tenant, generation).map(deploymentClause),
      ),
  };
};

export const dynamoPlaces = (table: Table): DeploymentPlaces => {
  const places = recordsIn(table, deploymentPlaceItem);
  return {
    putDeploymentPlace: async (place) => {
      await places.insert(deploymentPlaceKey(place.tenant, place.id), place);
    },
    getDeploymentPlace: (tenant, id) => places.get(deploymentPlaceKey(tenant, id)),
    listDeploymentPlaces: (tenant) => places.list(deploymentPlacesOf(tenant)),
    deleteDeploymentPlace: (tenant, id) => table.delete(deploymentPlaceKey(tenant, id), []),
  };
};

export const dynamoTargets = (table: Table): SignalTargets => {
  const targets = recordsIn(table, signalTargetItem);
  return {
    putSignalTarget: async (target) => {
      await targets.insert(
        signalTargetKey(target.derivedConfigId),
        target,
        ttlOf(target.expiresAt),
      );
    },
    replaceSignalTarget: async (target) => {
      const key = signalTargetKey(target.derivedConfigId);
      const when = [ownerClause(whenWrittenBy(target))];
      await targets.put(key, target, when, ttlOf(target.expiresAt));
    },
    getSignalTarget: (derivedConfigId) => targets.get(signalTargetKey(derivedConfigId)),
  };
};

export const dynamoMachines = (table: Table): Machines => {
  const machines = recordsIn(table, takenMachineItem);
  const keyOf = ({ tenant, name }: TakenMachine) => takenMachineKey(tenant, name);
  return {
    takeMachine: (taking) =>
      machines.put(keyOf(taking), taking, [machineClause(whenTaking(taking))]),
    releaseMachine: (taken) => table.delete(keyOf(taken), [machineClause(whenReleased(taken))]),
    listTakenMachines: (tenant) => machines.list(takenMachinesOf(tenant)),
  };
};
