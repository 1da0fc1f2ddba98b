/** The records of a deployment, after Heat's software_deployment, and of the URL that its result goes to. */
import type { EvidenceTarget } from "./evidence.ts";

/** The one mutable record: which derived config a deployment points at now. Written by its resource's visits, and by a user who has it delivered again. */
export interface DeploymentRecord {
  readonly tenant: string;
  readonly serverId: string;
  readonly id: string;
  readonly stackId: string;
  readonly resourceId: string;
  readonly resourceName: string;
  /** Of the operation that published it: an older operation's write is refused. */
  readonly generation: number;
  /** How often this operation has been published, each time under a derived id of its own: 1 until somebody has it delivered again. */
  readonly delivery: number;
  readonly derivedConfigId: string;
  /** The derived config's name: the document's sort key. */
  readonly name: string;
  readonly action: string;
  readonly status: "IN_PROGRESS" | "COMPLETE" | "FAILED";
  readonly statusReason: string;
  /** Sealed JSON of the derived ConfigContent, inputs with values. */
  readonly derivedConfig: string;
  /** Sealed JSON of the output values; what the server printed is in it with its end only, where it is long. */
  readonly outputValues: string;
  /** The generation of the result whose printed output is longer than that: the whole lies in a blob. Null: nothing is left out. */
  readonly wholeOutputOf: number | null;
  /** Sealed JSON of the input values that were given, for those who ask what they were. Null: none. */
  readonly inputValues: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A record as it was read, for a write that depends on it: within an operation both only go forward. */
export type DeploymentStanding = Pick<DeploymentRecord, "generation" | "delivery" | "status">;

/** Where a deployment's record is found by its id alone. Written before the record, and may outlive it. */
export interface DeploymentPlace {
  readonly tenant: string;
  readonly id: string;
  readonly serverId: string;
  readonly stackId: string;
}

/**
 * What a signal URL's id stands for: a derived config, or a wait condition handle, which has no deployment and stands
 * in its server's place. It outlives both, so that a late signal is told 410 and not 404.
 */
export interface SignalTarget extends EvidenceTarget {
  readonly derivedConfigId: string;
  readonly resourceId: string;
  readonly generation: number;
  readonly expiresAt: number;
}
