import type { Configuration } from "./configuration.ts";
import type { Performer } from "./perform.ts";
import type { ShownState } from "./reality.ts";
import type { State, Values } from "./state.ts";
import type { WorkerTree } from "./worker-tree.ts";

export interface Machine {
  readonly config: Configuration;
  readonly values: Values;
  readonly tree: WorkerTree;
  readonly performer: Performer;
  readonly shown: ShownState;
  readonly settle: (state: State) => void;
  readonly templates: readonly (string | null)[];
}

export interface Move {
  readonly state: State;
  /** Whether it is a fault or a request. The good end must be reachable without these. */
  readonly isOptional: boolean;
  readonly what: string;
}
