/**
 * The records of the convergence protocol: plain, readonly data. docs/convergence.md tells what each
 * field is for; the names are Heat's, but for `lease`, which Heat's engine_id could not express.
 */
import type { Hook } from "#lib/template/resource-hooks.ts";

export const STACK_ACTIONS = [
  "CREATE",
  "UPDATE",
  "DELETE",
  "ROLLBACK",
  "SUSPEND",
  "RESUME",
  "CHECK",
  "ADOPT",
  "SNAPSHOT",
  "RESTORE",
] as const;
export type StackAction = (typeof STACK_ACTIONS)[number];

/** What a provider can be asked to do. */
export const OPERATION_ACTIONS = [
  "CREATE",
  "UPDATE",
  "DELETE",
  "SUSPEND",
  "RESUME",
  "CHECK",
  "ADOPT",
  "SNAPSHOT",
] as const;
export type OperationAction = (typeof OPERATION_ACTIONS)[number];
/** INIT is a birth state, not a call. */
export const RESOURCE_ACTIONS = ["INIT", ...OPERATION_ACTIONS] as const;
export type ResourceAction = (typeof RESOURCE_ACTIONS)[number];

export const STATUSES = ["IN_PROGRESS", "COMPLETE", "FAILED"] as const;
export type Status = (typeof STATUSES)[number];

/**
 * Of a nested stack: the row whose object it is, and which of that row's operations began what here.
 * It is set by the acceptance of that operation and by nobody else (P13).
 */
export interface StackOwner {
  readonly stackId: string;
  readonly resourceId: string;
  readonly resourceName: string;
  /** The fence: of the newest operation of the row that this stack has accepted. */
  readonly generation: number;
  /** The traversal that this operation began here. */
  readonly childTraversalId: string;
  /** The stack that nobody owns, at the top. */
  readonly rootId: string;
  /** How many owners there are above: 1 below a root. */
  readonly depth: number;
}

/** A snapshot's id is that of the traversal that takes it; its data lies beside (stack-document.ts), and that it does is its being complete. */
export interface StackSnapshot {
  readonly id: string;
  readonly name: string | null;
  readonly createdAt: number;
}

/** Each writer of a stack sets only the fields that it owns (protocol P1, P2, P7, P8). Times are milliseconds since 1970. */
export interface Stack {
  readonly tenant: string;
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly action: StackAction;
  readonly status: Status;
  readonly statusReason: string;
  readonly traversalId: string;
  /** Grows by one with each accepted operation; rows are stamped with it, so that an older visit is refused. */
  readonly traversalNumber: number;
  /** Raised by the store at every accepted write. */
  readonly statusVersion: number;
  /** The target. */
  readonly templateId: string;
  /** The template of the last traversal whose update part came to its end: where a rollback goes. Null: nowhere, so to the empty template. */
  readonly lastGood: string | null;
  /** The last traversal whose graph was published. It survives the acceptance of newer ones. */
  readonly running: string | null;
  /** Whether the traversal before this one ended otherwise than COMPLETE, so that its visits may still be about and rows must be stamped. */
  readonly overtook: boolean;
  readonly cleanupFailed: string | null;
  readonly suspended: boolean;
  readonly deadline: number;
  readonly timeoutMins: number;
  readonly disableRollback: boolean;
  readonly tags: readonly string[];
  /** Null: nobody's, a root. */
  readonly owner: StackOwner | null;
  /** Oldest first. */
  readonly snapshots: readonly StackSnapshot[];
  /** False while the sweeper has to look at this stack: in progress, or ended FAILED with operations still under way. */
  readonly settled: boolean;
  readonly createdAt: number;
  readonly updatedAt: number | null;
  /** When the last traversal ended or was cancelled; null while one runs. */
  readonly endedAt: number | null;
  readonly deletedAt: number | null;
}

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

/** An operation outlives the worker that started it. Its `generation` names it towards the provider. */
export interface Operation {
  readonly traversalId: string;
  readonly isUpdate: boolean;
  readonly action: OperationAction;
  readonly generation: number;
  readonly startedAt: number;
  readonly deadline: number;
  /** What the provider gave us to ask again with; null until the first call has been answered and that was stored. */
  readonly handle: string | null;
  readonly type: string;
  readonly templateId: string;
  /** Sealed JSON of the resolved properties: with them any worker can repeat the call. */
  readonly properties: string;
  readonly requires: readonly string[];
  /** What the row goes back to when the provider asks for a replacement instead. */
  readonly before: {
    readonly action: ResourceAction;
    readonly status: Status;
    readonly statusReason: string;
  };
}

export interface Lease {
  readonly token: string;
  readonly expiresAt: number;
}

/** A node that stops at a hook of its environment, until a user clears it (ADR 8). Of another traversal's node it says nothing. */
export interface Pause extends Pick<Operation, "traversalId" | "isUpdate"> {
  readonly hook: Hook;
  readonly cleared: boolean;
}

/** A row: one version of a resource. Several rows of one name can live side by side (old one, replacement, failed replacement). */
export interface Resource {
  readonly tenant: string;
  readonly stackId: string;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** The fence: the number of the newest traversal that has claimed or stamped this row. */
  readonly number: number;
  /** Raised by the store at every accepted write. */
  readonly version: number;
  /** The generation of the last operation. */
  readonly generation: number;
  readonly templateId: string | null;
  readonly action: ResourceAction;
  readonly status: Status;
  readonly statusReason: string;
  readonly physicalResourceId: string | null;
  /** Sealed JSON of the properties as of the last successful create or update. */
  readonly properties: string | null;
  /** Sealed JSON {refId, attributes}. */
  readonly reference: string | null;
  readonly requires: readonly string[];
  readonly replaces: string | null;
  readonly replacedBy: string | null;
  readonly updateDone: string | null;
  readonly cleanupDone: string | null;
  readonly failed: { readonly traversalId: string; readonly isUpdate: boolean } | null;
  readonly checkFailed: boolean;
  readonly operation: Operation | null;
  readonly lease: Lease | null;
  readonly pause: Pause | null;
  /** Raised by each signal: "not yet" and a deadline's end are conditional on it. */
  readonly signals: number;
  readonly nextPollAt: number | null;
  readonly waitUntil: number | null;
  /** The last signal's text, for its event; it decides nothing. */
  readonly signalReason: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When a tombstone or a never-created row may vanish. Nothing may depend on its being there or not after that. */
  readonly expiresAt: number | null;
}

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

export interface StackEvent {
  /** (row id, version): a change that is delivered twice makes one event. */
  readonly id: string;
  readonly tenant: string;
  readonly stackId: string;
  readonly time: number;
  readonly resourceName: string;
  readonly resourceType: string;
  readonly physicalResourceId: string;
  /** The row, where it has no physical id yet or any more: its physical name is made of it. */
  readonly resourceId?: string;
  readonly resourceAction: string;
  readonly resourceStatus: Status;
  readonly reason: string;
}
