/** The record of a resource, which the protocol calls a row. The names are Heat's, except `lease`: Heat's engine_id cannot express it. */
import type { OperationAction, ResourceAction, Status } from "./action.ts";
import type { Hook } from "./hook.ts";

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
