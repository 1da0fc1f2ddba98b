import type { StackAction } from "#lib/model/action.ts";
import type { Spec } from "../simulation/world/spec.ts";
import type { Fault } from "./state.ts";

export interface ScriptedRequest {
  /** "signal" goes to the policy with this name. "later" lets `seconds` pass. */
  readonly action: StackAction | "cancel" | "signal" | "later";
  readonly spec?: Spec;
  readonly policy?: string;
  readonly seconds?: number;
}

export interface Configuration {
  readonly title: string;
  /**
   * The stack is created before the search begins. If absent, the creation is the first of the
   * racing requests.
   */
  readonly existing?: Spec;
  readonly requests: readonly ScriptedRequest[];
  /** The maximum of each fault on one path. An absent fault does not occur. */
  readonly faults: Readonly<Partial<Record<Fault, number>>>;
  readonly workersMax: number;
  readonly statesMax?: number;
  /** Requests of users do not count as workers, so that work goes on beside them. */
  readonly usersApart?: boolean;
  readonly inline?: boolean;
  readonly rollback?: boolean;
  readonly timeoutMins?: number;
  readonly partNodesMax?: number;
  /** When the message of a dead worker is delivered again. It is longer than a lease. */
  readonly redeliveredMs?: number;
  /** Calls that a worker makes at the same time are answered in their order. */
  readonly callsInOrder?: boolean;
  /** A worker's start and its first call are one step. */
  readonly joinsFirstCall?: boolean;
  readonly cooldownMsMax?: number;
  readonly signals?: { readonly count: number; readonly result: "COMPLETE" | "FAILED" };
}

export type Situation = Pick<Configuration, "title" | "existing" | "requests" | "rollback">;
