/** The record of a SyncPoint: which predecessors of a node have arrived. */
import type { NodeData, NodeKey } from "./graph.ts";

export interface SyncPointKey extends NodeKey {
  readonly traversalId: string;
  /** Buckets of wide nodes: "" is the node's own point, "1.7" the seventh bucket of level one. */
  readonly bucket: string;
}

/** `arrived` holds positions among the waiting node's predecessors; `version` counts the accepted writes. */
export interface SyncPoint {
  readonly key: SyncPointKey;
  readonly stackId: string;
  readonly arrived: readonly number[];
  readonly fanIn: number;
  readonly version: number;
  /** Input data, inline for narrow nodes. */
  readonly inputData: Readonly<Record<string, NodeData>>;
  readonly expiresAt: number;
}
