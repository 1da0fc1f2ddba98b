/** The graph of a traversal, and the sync points at which its nodes wait for each other. */
import type { StackAction } from "./action.ts";

export interface NodeKey {
  readonly resourceId: string;
  /** True for the update node of a row, false for its cleanup node. */
  readonly isUpdate: boolean;
}

export interface NodeFields extends NodeKey {
  readonly name: string;
  /** The row does not exist yet, and the claim of this node creates it. */
  readonly mints: boolean;
  /** The rows without a node that an update node depends on (P24). */
  readonly leftOut?: readonly RowLeftOut[] | undefined;
  /** The rows without a node that require a cleanup node's row. They let go of it first (P24). */
  readonly heldBy?: readonly string[] | undefined;
}

/** `requires` and `requiredBy` are positions in `nodes`. */
export interface ConvergenceNode extends NodeFields {
  readonly requires: readonly number[];
  readonly requiredBy: readonly number[];
}

interface RowLeftOut {
  readonly id: string;
  readonly name: string;
}

export interface GraphFields {
  readonly stackId: string;
  readonly traversalId: string;
  readonly traversalNumber: number;
  readonly action: StackAction;
  readonly templateId: string;
}

/** A graph never changes, so that all visits of a traversal work from the same graph. */
export interface ConvergenceGraph extends GraphFields {
  readonly nodes: readonly ConvergenceNode[];
}

/** A node with all that its visit needs of the nodes around it. */
export interface GraphNode extends NodeFields {
  readonly fanIn: number;
  readonly requiredBy: readonly GraphEdge[];
  readonly rootIndex: number | null;
  /** Its index among the update nodes that no other update node waits for, if it is one of them. */
  readonly updateRootIndex: number | null;
}

interface GraphEdge extends NodeKey {
  readonly at: number;
  readonly fanIn: number;
  /** The index of this node among the predecessors of the waiting node. */
  readonly predecessor: number;
}

export interface GraphHeader extends GraphFields {
  readonly parts: {
    /** Derived from all parts, so different graphs of one traversal have different parts. */
    readonly build: string;
    readonly nodeCount: number;
    readonly rootCount: number;
    readonly updateRootCount: number;
    readonly hasCleanup: boolean;
    readonly starts: readonly number[];
    readonly directoryCount: number;
  };
}

/** Former versions stored graphs of any size as a whole. */
export type StoredGraph = ConvergenceGraph | GraphHeader;

export interface GraphPartKey {
  readonly build: string;
  readonly part: string;
}

export interface GraphPart {
  readonly nodes: readonly GraphNode[];
  readonly positions: Readonly<Record<string, NodePositions>>;
}

export type NodePositions = readonly [update: number | null, cleanup: number | null];

export interface NodeData {
  readonly id: string;
  readonly name: string;
  /** Sealed JSON {refId, attributes}. If it is too large it is null, and read from the row. */
  readonly reference: string | null;
  readonly checkFailed: boolean;
}

export interface SyncPointKey extends NodeKey {
  readonly traversalId: string;
  /** "" is the node's own point, and "1.7" is bucket 7 of level 1. */
  readonly bucket: string;
}

export interface SyncPoint {
  readonly key: SyncPointKey;
  readonly stackId: string;
  readonly arrived: readonly number[];
  /** When the last of them arrived: a full point's node has been ready since then. */
  readonly arrivedAt: number | null;
  readonly fanIn: number;
  readonly version: number;
  readonly inputData: Readonly<Record<string, NodeData>>;
  readonly expiresAt: number;
}
