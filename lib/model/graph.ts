/** The graph of one traversal, and what its nodes hand to each other. */
import type { StackAction } from "./action.ts";

export interface NodeKey {
  readonly resourceId: string;
  readonly isUpdate: boolean;
}

/** One node of a traversal's graph; `requires` and `requiredBy` are positions in `ConvergenceGraph.nodes`. */
export interface ConvergenceNode extends NodeKey {
  readonly name: string;
  readonly requires: readonly number[];
  readonly requiredBy: readonly number[];
  /** The row does not exist yet; the claim of this node creates it. */
  readonly mints: boolean;
}

/** Immutable, one a traversal: every visit of the traversal works from the same version of it. */
export interface ConvergenceGraph {
  readonly stackId: string;
  readonly traversalId: string;
  readonly traversalNumber: number;
  readonly action: StackAction;
  readonly templateId: string;
  readonly nodes: readonly ConvergenceNode[];
}

/** What a visit hands to the visits that wait for it. `reference` is sealed JSON {refId, attributes}; null means: too large, read it from the row. */
export interface NodeData {
  readonly id: string;
  readonly name: string;
  readonly reference: string | null;
  readonly checkFailed: boolean;
}
