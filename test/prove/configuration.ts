/** What a search is bounded by: templates, requests, faults, workers. */
import type { StackAction } from "#lib/model/action.ts";
import type { Spec } from "../simulation/world/spec.ts";
import type { Fault } from "./state.ts";

export interface ScriptedRequest {
  readonly action: StackAction | "cancel";
  /** The new target; absent where the action leaves it as it is. */
  readonly spec?: Spec;
}

export interface Configuration {
  readonly title: string;
  /** Created calmly before the search begins; absent: the creation is the first of the requests that race. */
  readonly existing?: Spec;
  /** Each may come at any moment after the one before. */
  readonly requests: readonly ScriptedRequest[];
  /** How often each may happen on one path; absent: never. */
  readonly faults: Readonly<Partial<Record<Fault, number>>>;
  readonly workersMax: number;
  readonly inline?: boolean;
  readonly rollback?: boolean;
  readonly timeoutMins?: number;
  /** How many signals agents may send on one path, and what they say. */
  readonly signals?: { readonly count: number; readonly result: "COMPLETE" | "FAILED" };
}
