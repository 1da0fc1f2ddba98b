/**
 * The store of software configs and deployments. As in store.ts, every method is one atomic
 * operation. A key that a project may name by itself, such as a server's id, is not enough for a
 * write or a delete: neither has an effect on another project's record.
 */
import type {
  DeploymentPlace,
  DeploymentRecord,
  DeploymentStanding,
  SignalTarget,
} from "#lib/model/deployment.ts";
import type { Evidence, EvidenceSighting } from "#lib/model/evidence.ts";
import type { PollRoll } from "#lib/model/poll-roll.ts";
import type { ServerRecord } from "#lib/model/server.ts";
import type {
  DeliveryFindings,
  DeliverySighting,
  ServerFindings,
  ServerSighting,
  SightedDelivery,
  SightedServer,
} from "#lib/model/sighting.ts";
import type { SoftwareConfigRecord } from "#lib/model/software-config.ts";
import type { TakenMachine } from "#lib/model/taken-machine.ts";

export interface SoftwareConfigs {
  /** Put if absent: a config never changes. */
  putConfig(config: SoftwareConfigRecord): Promise<void>;
  getConfig(tenant: string, id: string): Promise<SoftwareConfigRecord | null>;
  deleteConfig(tenant: string, id: string): Promise<void>;
  /** All configs of a tenant, in no order. */
  listConfigs(tenant: string): Promise<readonly SoftwareConfigRecord[]>;
}

/**
 * An eventual read costs half as much. It may miss the writes of the last moments, and two such
 * reads may even go back in time.
 */
export type Reading = "strong" | "eventual";

/** A server and its deployments, as of one moment. */
export interface ServerDocument {
  readonly server: ServerRecord | null;
  readonly deployments: readonly DeploymentRecord[];
}

/**
 * What the version of a server's document is made of, and the generation of its URL. It has no
 * configs and no values, so it stays small.
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
  /** Returns whether it has written: not over another project's server. */
  putServer(server: ServerRecord): Promise<boolean>;
  getServer(id: string): Promise<ServerRecord | null>;
  deleteServer(tenant: string, id: string): Promise<void>;
  /** One query: everything that the metadata document of a server is rendered from. */
  getServerDocument(id: string, reading: Reading): Promise<ServerDocument>;
  /** One eventual query of an index. It may lag further behind than an eventual read. */
  getDocumentOutline(id: string): Promise<DocumentOutline>;
}

export type DeploymentKey = Pick<DeploymentRecord, "tenant" | "serverId" | "id">;

export interface Deployments {
  /**
   * Writes if there is no deployment, or if its generation is below this one's. So a repeated
   * publish does not undo a later change.
   */
  publishDeployment(deployment: DeploymentRecord): Promise<boolean>;
  /** Writes if the stored deployment still stands as it was read. */
  changeDeployment(deployment: DeploymentRecord, asRead: DeploymentStanding): Promise<boolean>;
  getDeployment(serverId: string, id: string): Promise<DeploymentRecord | null>;
  /** One strongly consistent query. */
  listDeployments(serverId: string): Promise<readonly DeploymentRecord[]>;
  /** Deletes the project's deployment if its stored generation is at most this one. */
  deleteDeployment(key: DeploymentKey, generation: number): Promise<void>;
}

export interface DeploymentPlaces {
  /** Put if absent. */
  putDeploymentPlace(place: DeploymentPlace): Promise<void>;
  getDeploymentPlace(tenant: string, id: string): Promise<DeploymentPlace | null>;
  /** All places of a tenant, in no order. */
  listDeploymentPlaces(tenant: string): Promise<readonly DeploymentPlace[]>;
  deleteDeploymentPlace(tenant: string, id: string): Promise<void>;
}

export interface SignalTargets {
  /** Put if absent. */
  putSignalTarget(target: SignalTarget): Promise<void>;
  /** In the place of the one of its id, or as a new one. */
  replaceSignalTarget(target: SignalTarget): Promise<void>;
  getSignalTarget(derivedConfigId: string): Promise<SignalTarget | null>;
}

export type EvidenceKey = Pick<Evidence, "serverId" | "deploymentId" | "kind">;

export interface EvidenceRecords {
  /** Creates the record of its kind and target, or raises its count by one and sets the rest. */
  addEvidence(sighting: EvidenceSighting): Promise<void>;
  getEvidence(key: EvidenceKey): Promise<Evidence | null>;
  /**
   * All evidence about a server and its deployments, including deleted ones. A diagnosis starts
   * from it. The caller must check the tenant.
   */
  listEvidence(serverId: string): Promise<readonly Evidence[]>;
}

export interface Sightings {
  /** Sets these findings and leaves the others. Creates the record if there is none. */
  noteServer(server: SightedServer, findings: Partial<ServerFindings>): Promise<void>;
  getServerSighting(serverId: string): Promise<ServerSighting | null>;
  /** Sets these findings and leaves the others. Creates the record if there is none. */
  noteDelivery(delivery: SightedDelivery, findings: Partial<DeliveryFindings>): Promise<void>;
  getDelivery(serverId: string, derivedConfigId: string): Promise<DeliverySighting | null>;
  /** All deliveries of a server that have not expired, in no order. */
  listDeliveries(serverId: string): Promise<readonly DeliverySighting[]>;
  /** Replaces the writer's roll of the shard. */
  putPollRoll(roll: PollRoll): Promise<void>;
  /** All rolls of a shard that have not expired, in no order. */
  listPollRolls(shard: string): Promise<readonly PollRoll[]>;
}

export interface Machines {
  /**
   * Writes if no server has the machine, or if the same server of the same stack has it. A taking
   * without a server's id writes only if nobody has it. Returns whether it has written.
   */
  takeMachine(taking: TakenMachine): Promise<boolean>;
  /** Deletes if the machine is taken by this server of this stack, and with this id. */
  releaseMachine(taken: TakenMachine): Promise<void>;
  /** One strongly consistent query: all that the tenant has taken, in no order. */
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
