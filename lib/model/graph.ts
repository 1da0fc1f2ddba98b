/** The graph of one traversal, and the data that its nodes pass on. */
import type { StackAction } from "./action.ts";

export interface NodeKey {
  readonly resourceId: string;
  /** True for the update node of a row, false for its cleanup node. */
  readonly isUpdate: boolean;
}

/** One node of a traversal's graph. `requires` and `requiredBy` are positions in `nodes`. */
export interface ConvergenceNode extends NodeKey {
  readonly name: string;
  readonly requires: readonly number[];
  readonly requiredBy: readonly number[];
  /** The row does not exist yet. The claim of this node creates it. */
  readonly mints: boolean;
  /**
   * P24, of an update node: the rows without a node that its definition depends on. They stay as
   * they are. Absent: there are none.
   */
  readonly leftOut?: readonly RowLeftOut[] | undefined;
  /**
   * P24, of a cleanup node: the ids of the rows without a node that require its row. They let go of
   * it before it is deleted. Absent: there are none.
   */
  readonly heldBy?: readonly string[] | undefined;
}

export interface RowLeftOut {
  readonly id: string;
  readonly name: string;
}

/**
 * Immutable, one for each traversal, so that all of its visits work from the same graph. After a
 * partial update, rows without a node stay as they are (P24).
 */
export interface ConvergenceGraph {
  readonly stackId: string;
  readonly traversalId: string;
  readonly traversalNumber: number;
  readonly action: StackAction;
  readonly templateId: string;
  readonly nodes: readonly ConvergenceNode[];
}

/** What a visit passes on to the visits that wait for its node. */
export interface NodeData {
  readonly id: string;
  readonly name: string;
  /**
   * Sealed JSON {refId, attributes}. Null: too large, so the waiting visit reads it from the row.
   */
  readonly reference: string | null;
  readonly checkFailed: boolean;
}
