/** The graph of one traversal, and the data that its nodes pass on. */
import type { StackAction } from "./action.ts";

export interface NodeKey {
  readonly resourceId: string;
  /** True for the update node of a row, false for its cleanup node. */
  readonly isUpdate: boolean;
}

/** What a node says of its row. */
export interface NodeFields extends NodeKey {
  readonly name: string;
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

/** One node of a traversal's graph. `requires` and `requiredBy` are positions in `nodes`. */
export interface ConvergenceNode extends NodeFields {
  readonly requires: readonly number[];
  readonly requiredBy: readonly number[];
}

export interface RowLeftOut {
  readonly id: string;
  readonly name: string;
}

/** What all visits of a traversal know. */
export interface GraphFields {
  readonly stackId: string;
  readonly traversalId: string;
  readonly traversalNumber: number;
  readonly action: StackAction;
  readonly templateId: string;
}

/**
 * Immutable, one for each traversal, so that all of its visits work from the same graph. After a
 * partial update, rows without a node stay as they are (P24).
 */
export interface ConvergenceGraph extends GraphFields {
  readonly nodes: readonly ConvergenceNode[];
}

/** A node with all that its visit needs of the nodes around it, so that it reads none of them. */
export interface GraphNode extends NodeFields {
  /** How many nodes it waits for. */
  readonly fanIn: number;
  readonly requiredBy: readonly GraphEdge[];
  /** Its index among the nodes that nothing waits for. Null: something waits for it. */
  readonly rootIndex: number | null;
  /** Its index among the update nodes that no other update node waits for. Null: it is none. */
  readonly updateRootIndex: number | null;
}

/** To a node that waits. */
export interface GraphEdge extends NodeKey {
  /** Its position in the graph. */
  readonly at: number;
  readonly fanIn: number;
  /** The index of the edge's own node among the nodes that it waits for. */
  readonly predecessor: number;
}

/** A large graph is stored in parts. This is the record that says which parts count. */
export interface GraphHeader extends GraphFields {
  readonly parts: {
    /** An id of what all parts say, so different graphs of one traversal have different parts. */
    readonly build: string;
    readonly nodeCount: number;
    readonly rootCount: number;
    readonly updateRootCount: number;
    readonly hasCleanup: boolean;
    /** The position of the first node of each part with nodes. */
    readonly starts: readonly number[];
    /** How many parts say where nodes are. */
    readonly directoryCount: number;
  };
}

/** Former versions stored graphs of any size as a whole. */
export type StoredGraph = ConvergenceGraph | GraphHeader;

export interface GraphPartKey {
  readonly build: string;
  readonly part: string;
}

/** It has either nodes or positions. */
export interface GraphPart {
  /** Of consecutive positions. */
  readonly nodes: readonly GraphNode[];
  /** Of nodes, by the id of their row. */
  readonly positions: Readonly<Record<string, NodePositions>>;
}

export type NodePositions = readonly [update: number | null, cleanup: number | null];

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
