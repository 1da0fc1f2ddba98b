/** The records of a deployment (Heat: software_deployment) and of the signal URL of its result. */
import type { EvidenceTarget } from "./evidence.ts";

/**
 * The only mutable record: it names the deployment's current derived config. The visits of its
 * resource write it, and so does a user's retry.
 */
export interface DeploymentRecord {
  readonly tenant: string;
  readonly serverId: string;
  readonly id: string;
  readonly stackId: string;
  readonly resourceId: string;
  readonly resourceName: string;
  /** Of the operation that published it. The write of an older operation is refused. */
  readonly generation: number;
  /**
   * How often this operation was published, each time with a new derived id. 1 until a user retries
   * the deployment.
   */
  readonly delivery: number;
  readonly derivedConfigId: string;
  /** The derived config's name. The metadata document is sorted by it. */
  readonly name: string;
  readonly action: string;
  readonly status: "IN_PROGRESS" | "COMPLETE" | "FAILED";
  readonly statusReason: string;
  /** Sealed JSON of the derived ConfigContent, with the values of its inputs. */
  readonly derivedConfig: string;
  /** Sealed JSON of the output values. Of long printed output it has the end only. */
  readonly outputValues: string;
  /**
   * If printed output was cut: the generation of its result. A blob has the whole output. Null:
   * nothing was cut.
   */
  readonly wholeOutputOf: number | null;
  /** Sealed JSON of the input values as given, to be shown to users. Null: none. */
  readonly inputValues: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/**
 * The fields by which a write checks that the record is as read. Within an operation they only move
 * forward.
 */
export type DeploymentStanding = Pick<DeploymentRecord, "generation" | "delivery" | "status">;

/**
 * Finds a deployment's record by its id alone. It is written before the record and may outlive it.
 */
export interface DeploymentPlace {
  readonly tenant: string;
  readonly id: string;
  readonly serverId: string;
  readonly stackId: string;
}

/**
 * What the id in a signal URL names: a derived config, or a wait condition handle. A handle has no
 * deployment, and its id is in the place of the server's. The record outlives both, so that a late
 * signal is answered 410 and not 404.
 */
export interface SignalTarget extends EvidenceTarget {
  readonly derivedConfigId: string;
  readonly resourceId: string;
  readonly generation: number;
  readonly expiresAt: number;
}
