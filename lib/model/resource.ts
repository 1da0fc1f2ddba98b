/**
 * The record of a resource. The protocol calls it a row. Where Heat has the field, the name is
 * Heat's, except `lease`: Heat's engine_id has no expiry.
 */
import type { OperationAction, ResourceAction, Status } from "./action.ts";
import type { Health } from "./health.ts";
import type { Hook } from "./hook.ts";

/** The update or cleanup node of a row in one traversal: the owner of a mark or an operation. */
export interface TraversalNode {
  readonly traversalId: string;
  readonly isUpdate: boolean;
}

/** An operation outlives the worker that started it. Providers know it by its `generation`. */
export interface Operation extends TraversalNode {
  readonly action: OperationAction;
  /** It looks or starts, and its node decides again after it: its end is not that of the node. */
  readonly isStep?: true;
  readonly generation: number;
  readonly startedAt: number;
  readonly deadline: number;
  /** The provider's handle for further calls. Null until the answer of the first call is stored. */
  readonly handle: string | null;
  readonly type: string;
  readonly templateId: string;
  /** Sealed JSON of the resolved properties, so that any worker can repeat the call. */
  readonly properties: string;
  readonly requires: readonly string[];
  /** The row's state before. It comes back if the provider asks for a replacement. */
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

/**
 * A node that waits at a hook until a user clears it (ADR 8). It does not affect other traversals.
 */
export interface Pause extends TraversalNode {
  readonly hook: Hook;
  readonly cleared: boolean;
}

/**
 * A row: one version of a resource. A name can have several rows at once: the old one, its
 * replacement, a failed replacement.
 */
export interface Resource {
  readonly tenant: string;
  readonly stackId: string;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /**
   * The fence: the number of the newest traversal that has claimed or stamped this row. Older ones
   * are refused.
   */
  readonly number: number;
  /** The store raises it at every accepted write. */
  readonly version: number;
  /** The generation of the last operation. */
  readonly generation: number;
  readonly templateId: string | null;
  readonly action: ResourceAction;
  readonly status: Status;
  readonly statusReason: string;
  readonly physicalResourceId: string | null;
  /** Sealed JSON of the properties of the last successful create or update. */
  readonly properties: string | null;
  /** Sealed JSON {refId, attributes}. */
  readonly reference: string | null;
  readonly requires: readonly string[];
  readonly replaces: string | null;
  readonly replacedBy: string | null;
  /** The traversal that completed the row's update node. */
  readonly updateDone: string | null;
  /** The traversal that completed the row's cleanup node. */
  readonly cleanupDone: string | null;
  /** The node that failed last. A redelivered message must not try it again. */
  readonly failed: TraversalNode | null;
  readonly checkFailed: boolean;
  /** Null: nobody has looked since the object was last made or changed. */
  readonly health: Health | null;
  /** Its CREATE may or may not have made an object, and only a user can say which (P18). */
  readonly outcomeUnknown: boolean;
  /**
   * The id of an object that existed before the stack, from the definition's `external_id`. No
   * operation makes, changes or deletes it (P19).
   */
  readonly externalId: string | null;
  readonly operation: Operation | null;
  readonly lease: Lease | null;
  readonly pause: Pause | null;
  /**
   * Each signal raises it. A worker that finds nothing new, or ends the operation at a deadline,
   * writes only if it is as read.
   */
  readonly signals: number;
  /** When the operation without a lease is to be polled. */
  readonly nextPollAt: number | null;
  /** How long the one visit that waits for this row stays away. */
  readonly waitUntil: number | null;
  /** The last signal's text, for its event only. */
  readonly signalReason: string | null;
  /**
   * Of the last signal that has an event even if its text is that of the one before. Null: no such
   * signal came, or a former version wrote the row.
   */
  readonly signalId: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /**
   * When the store may remove a tombstone or a row that was never claimed. After that, nothing may
   * depend on whether the row still exists.
   */
  readonly expiresAt: number | null;
}

/** The text of a signal that a resource takes in no such action, as in Heat. */
export const refusedSignal = (action: Resource["action"]): string =>
  `Cannot signal resource during ${action}`;
