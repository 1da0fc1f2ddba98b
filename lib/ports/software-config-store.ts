/** The store of software configs and deployments; the granularity rule of store.ts holds here too. */
import type {
  DeploymentPlace,
  DeploymentRecord,
  DeploymentStanding,
  SignalTarget,
} from "#lib/model/deployment.ts";
import type { Evidence, EvidenceSighting } from "#lib/model/evidence.ts";
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

export type EvidenceKey = Pick<Evidence, "serverId" | "deploymentId" | "kind">;

export interface SoftwareConfigStore {
  /** Put if absent: a config never changes. */
  putConfig(config: SoftwareConfigRecord): Promise<void>;
  getConfig(tenant: string, id: string): Promise<SoftwareConfigRecord | null>;
  deleteConfig(tenant: string, id: string): Promise<void>;
  /** All of a tenant, in no order. */
  listConfigs(tenant: string): Promise<readonly SoftwareConfigRecord[]>;

  putServer(server: ServerRecord): Promise<void>;
  getServer(id: string): Promise<ServerRecord | null>;
  deleteServer(id: string): Promise<void>;

  /** On condition that none is there or its generation is below this one's: what has become of an operation since it was published stays. */
  publishDeployment(deployment: DeploymentRecord): Promise<boolean>;
  /** On condition that one is there and stands as it was read. */
  changeDeployment(deployment: DeploymentRecord, asRead: DeploymentStanding): Promise<boolean>;
  getDeployment(serverId: string, id: string): Promise<DeploymentRecord | null>;
  /** One strongly consistent query: what the metadata document is rendered from. */
  listDeployments(serverId: string): Promise<readonly DeploymentRecord[]>;
  /** On condition that its generation is at most this one. */
  deleteDeployment(serverId: string, id: string, generation: number): Promise<void>;

  /** Put if absent. */
  putDeploymentPlace(place: DeploymentPlace): Promise<void>;
  getDeploymentPlace(tenant: string, id: string): Promise<DeploymentPlace | null>;
  /** All of a tenant, in no order. */
  listDeploymentPlaces(tenant: string): Promise<readonly DeploymentPlace[]>;
  deleteDeploymentPlace(tenant: string, id: string): Promise<void>;

  /** Put if absent. */
  putSignalTarget(target: SignalTarget): Promise<void>;
  getSignalTarget(derivedConfigId: string): Promise<SignalTarget | null>;

  /** Makes the record of its kind and target, or raises its count by one and sets the rest. */
  addEvidence(sighting: EvidenceSighting): Promise<void>;
  getEvidence(key: EvidenceKey): Promise<Evidence | null>;
  /** All about a server and its deployments, the deleted ones too: what a diagnosis starts from. Whoever asks looks at the tenant. */
  listEvidence(serverId: string): Promise<readonly Evidence[]>;

  /** Sets these findings, and makes the record where there is none; the others stay as they are. */
  noteServer(server: SightedServer, findings: Partial<ServerFindings>): Promise<void>;
  getServerSighting(serverId: string): Promise<ServerSighting | null>;
  /** The same for a delivery. */
  noteDelivery(delivery: SightedDelivery, findings: Partial<DeliveryFindings>): Promise<void>;
  getDelivery(serverId: string, derivedConfigId: string): Promise<DeliverySighting | null>;
  /** All of a server that have not been forgotten, in no order. */
  listDeliveries(serverId: string): Promise<readonly DeliverySighting[]>;
}
