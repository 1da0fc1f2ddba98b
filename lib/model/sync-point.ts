/** The record of a SyncPoint: which predecessors of a waiting node are done. */
import type { NodeData, NodeKey } from "./graph.ts";

export interface SyncPointKey extends NodeKey {
  readonly traversalId: string;
  /** For nodes with a wide fan-in: "" is the node's own point, "1.7" is bucket 7 of level 1. */
  readonly bucket: string;
}

export interface SyncPoint {
  readonly key: SyncPointKey;
  readonly stackId: string;
  /** Positions among the predecessors of the waiting node. */
  readonly arrived: readonly number[];
  /**
   * When the last of them arrived: a full point's node has been ready since then. Null: a former
   * version wrote the point.
   */
  readonly arrivedAt: number | null;
  readonly fanIn: number;
  /** The number of accepted writes. */
  readonly version: number;
  /** The input data, if the fan-in is small enough to keep it here. */
  readonly inputData: Readonly<Record<string, NodeData>>;
  readonly expiresAt: number;
}
