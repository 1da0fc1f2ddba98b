/**
 * The store of software configs and deployments. As in store.ts, every method is one atomic
 * operation. A project may choose some keys itself, such as a server's id. So writes and deletes
 * also check the tenant: they have no effect on another project's record.
 */

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
  DeploymentStanding,
  ServerRecord,
  SignalTarget,
  SoftwareConfigRecord,
  TakenMachine,
} from "#lib/model/software-config.ts";

export interface SoftwareConfigs {
  putConfig(config: SoftwareConfigRecord): Promise<void>;
  getConfig(tenant: string, id: string): Promise<SoftwareConfigRecord | null>;
  deleteConfig(tenant: string, id: string): Promise<void>;
  listConfigs(tenant: string): Promise<readonly SoftwareConfigRecord[]>;
}

/**
 * An eventual read costs half as much. It may miss the most recent writes, and two such reads may
 * go back in time.
 */
export type Reading = "strong" | "eventual";

export interface ServerDocument {
  readonly server: ServerRecord | null;
  readonly deployments: readonly DeploymentRecord[];
}

/**
 * The version of a server's document is computed from this outline. It contains no configs and no
 * values, so it stays small.
 */
export interface DocumentOutline {
  readonly server: Pick<ServerRecord, "tenant" | "id" | "gen" | "metadata"> | null;
  readonly deployments: readonly OutlinedDeployment[];
}

export type OutlinedDeployment = Pick<
  DeploymentRecord,
  "tenant" | "id" | "derivedConfigId" | "name" | "resourceName" | "action" | "createdAt"
>;

export interface Servers {
  putServer(server: ServerRecord): Promise<boolean>;
  getServer(id: string): Promise<ServerRecord | null>;
  deleteServer(tenant: string, id: string): Promise<void>;
  getServerDocument(id: string, reading: Reading): Promise<ServerDocument>;
  getDocumentOutline(id: string): Promise<DocumentOutline>;
}

export type DeploymentKey = Pick<DeploymentRecord, "tenant" | "serverId" | "id">;

export interface Deployments {
  /**
   * Writes if no deployment exists, or if its generation is lower. So a repeated publish does not
   * undo a later change.
   */
  publishDeployment(deployment: DeploymentRecord): Promise<boolean>;
  changeDeployment(deployment: DeploymentRecord, asRead: DeploymentStanding): Promise<boolean>;
  getDeployment(serverId: string, id: string): Promise<DeploymentRecord | null>;
  listDeployments(serverId: string): Promise<readonly DeploymentRecord[]>;
  deleteDeployment(key: DeploymentKey, generation: number): Promise<void>;
}

export interface DeploymentPlaces {
  putDeploymentPlace(place: DeploymentPlace): Promise<void>;
  getDeploymentPlace(tenant: string, id: string): Promise<DeploymentPlace | null>;
  listDeploymentPlaces(tenant: string): Promise<readonly DeploymentPlace[]>;
  deleteDeploymentPlace(tenant: string, id: string): Promise<void>;
}

export interface SignalTargets {
  putSignalTarget(target: SignalTarget): Promise<void>;
  replaceSignalTarget(target: SignalTarget): Promise<void>;
  getSignalTarget(derivedConfigId: string): Promise<SignalTarget | null>;
}

export type EvidenceKey = Pick<Evidence, "serverId" | "deploymentId" | "kind">;

export interface EvidenceRecords {
  addEvidence(sighting: EvidenceSighting): Promise<void>;
  getEvidence(key: EvidenceKey): Promise<Evidence | null>;
  /**
   * All evidence about a server and its deployments, including deleted ones, for a diagnosis. The
   * caller must check the tenant.
   */
  listEvidence(serverId: string): Promise<readonly Evidence[]>;
}

export interface Sightings {
  noteServer(server: SightedServer, findings: Partial<ServerFindings>): Promise<void>;
  getServerSighting(serverId: string): Promise<ServerSighting | null>;
  noteDelivery(delivery: SightedDelivery, findings: Partial<DeliveryFindings>): Promise<void>;
  getDelivery(serverId: string, derivedConfigId: string): Promise<DeliverySighting | null>;
  listDeliveries(serverId: string): Promise<readonly DeliverySighting[]>;
  putPollRoll(roll: PollRoll): Promise<void>;
  listPollRolls(shard: string): Promise<readonly PollRoll[]>;
}

export interface Machines {
  takeMachine(taking: TakenMachine): Promise<boolean>;
  releaseMachine(taken: TakenMachine): Promise<void>;
  listTakenMachines(tenant: string): Promise<readonly TakenMachine[]>;
}

export interface SoftwareConfigStore
  extends SoftwareConfigs,
    Servers,
    Deployments,
    DeploymentPlaces,
    SignalTargets,
    Machines,
    EvidenceRecords,
    Sightings {}
