import type { NodeData, NodeKey } from "./graph.ts";

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
