/**
 * The records of software configs, servers and deployments (Heat: software_config,
 * software_deployment), and of the signal URLs of their results.
 */
import type { Json } from "#lib/json.ts";
import type { EvidenceTarget } from "./evidence.ts";

/** Only derived configs have a `value`. */
export interface ConfigInput {
  readonly name: string;
  readonly type: "String" | "Number" | "CommaDelimitedList" | "Json" | "Boolean";
  readonly description?: string;
  readonly default?: Json;
  readonly replace_on_change?: boolean;
  readonly value?: Json;
}

export interface ConfigOutput {
  readonly name: string;
  readonly type: ConfigInput["type"];
  readonly description?: string;
  readonly error_output: boolean;
}

export interface ConfigContent {
  readonly name: string;
  readonly group: string;
  readonly config: Json;
  readonly inputs: readonly ConfigInput[];
  readonly outputs: readonly ConfigOutput[];
  readonly options: { readonly [key: string]: Json };
}

/** The stack id of configs and deployments that users create without a stack. */
export const STANDALONE = "standalone";

export interface SoftwareConfigRecord {
  readonly tenant: string;
  readonly id: string;
  readonly stackId: string;
  /** Sealed JSON of a ConfigContent. */
  readonly content: string;
  readonly createdAt: number;
}

export interface ServerRecord {
  readonly tenant: string;
  readonly id: string;
  readonly stackId: string;
  readonly resourceName: string;
  /** The generation of the metadata URL. Raising it, or removing the record, revokes older URLs. */
  readonly gen: number;
  readonly metadata: string;
}

/**
 * The only mutable record of a deployment: it names the current derived config. The visits of its
 * resource write it, and so does a user's retry.
 */
export interface DeploymentRecord {
  readonly tenant: string;
  readonly serverId: string;
  readonly id: string;
  readonly stackId: string;
  readonly resourceId: string;
  readonly resourceName: string;
  /** The generation of the operation that published it. An older operation's write is refused. */
  readonly generation: number;
  /** How often this operation was published. It is 1 until a user retries the deployment. */
  readonly delivery: number;
  readonly derivedConfigId: string;
  readonly name: string;
  readonly action: string;
  readonly status: "IN_PROGRESS" | "COMPLETE" | "FAILED";
  readonly statusReason: string;
  readonly derivedConfig: string;
  /** Sealed JSON of the output values. It has only the end of long printed output. */
  readonly outputValues: string;
  /** If printed output was cut, the generation of its result: a blob has the whole output. */
  readonly wholeOutputOf: number | null;
  readonly inputValues: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type DeploymentStanding = Pick<DeploymentRecord, "generation" | "delivery" | "status">;

/** Finds a deployment's record by its id. It is written first, and may outlive the record. */
export interface DeploymentPlace {
  readonly tenant: string;
  readonly id: string;
  readonly serverId: string;
  readonly stackId: string;
}

/**
 * What the id in a signal URL names: a derived config, or a wait condition handle. A handle has no
 * deployment, so `serverId` is its own id. The record outlives both, so that a late signal gets 410
 * and not 404.
 */
export interface SignalTarget extends EvidenceTarget {
  readonly derivedConfigId: string;
  readonly resourceId: string;
  readonly generation: number;
  readonly expiresAt: number;
}

/** A machine of the user's inventory that a server has. No machine has two servers. */
export interface TakenMachine {
  readonly tenant: string;
  readonly name: string;
  readonly stackId: string;
  readonly resourceName: string;
  /** A server that is not made yet has no id: one of its ports has taken the machine. */
  readonly serverId: string | null;
}
