/** The bounds of a search: templates, requests, faults, workers. */
import type { StackAction } from "#lib/model/action.ts";
import type { Spec } from "../simulation/world/spec.ts";
import type { Fault } from "./state.ts";

export interface ScriptedRequest {
  /** "signal": to the policy of the name. "later": so many seconds pass. */
  readonly action: StackAction | "cancel" | "signal" | "later";
  /** The new target; absent where the action keeps the current one. */
  readonly spec?: Spec;
  readonly policy?: string;
  readonly seconds?: number;
}

export interface Configuration {
  readonly title: string;
  /** Created before the search begins; absent: the creation is the first of the racing requests. */
  readonly existing?: Spec;
  /** Each may come at any moment after the one before. */
  readonly requests: readonly ScriptedRequest[];
  /** The maximum of each fault on one path; absent: none. */
  readonly faults: Readonly<Partial<Record<Fault, number>>>;
  readonly workersMax: number;
  /** A larger search stops here. Absent: where all others stop. */
  readonly statesMax?: number;
  /** Requests of users do not count as workers, so that work goes on beside them. */
  readonly usersApart?: boolean;
  readonly inline?: boolean;
  readonly rollback?: boolean;
  readonly timeoutMins?: number;
  /** Graphs with more nodes are stored in parts. Absent: as outside the search. */
  readonly partNodesMax?: number;
  /** When the message of a dead worker comes again. It is longer than a lease. */
  readonly redeliveredMs?: number;
  /** Calls that a worker makes at the same time are taken in their order. */
  readonly callsInOrder?: boolean;
  /** A worker's first call is one step with its start. */
  readonly joinsFirstCall?: boolean;
  /** Longer than every cooldown of a group. Absent: there is none. */
  readonly cooldownMsMax?: number;
  /** The maximum of signals on one path, and their result. */
  readonly signals?: { readonly count: number; readonly result: "COMPLETE" | "FAILED" };
}

/** What happens, without the faults. */
export type Situation = Pick<Configuration, "title" | "existing" | "requests" | "rollback">;
