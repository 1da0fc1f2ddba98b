/**
 * The record of a resource, which the protocol calls a row. Fields have Heat's names where Heat has
 * them, except `lease`: Heat's engine_id has no expiry.
 */
import type { OperationAction, ResourceAction, Status } from "./action.ts";

/** The owner of a mark or an operation: the update or cleanup node of a row in one traversal. */
export interface TraversalNode {
  readonly traversalId: string;
  readonly isUpdate: boolean;
}

/** An operation outlives the worker that started it. Providers know it by its `generation`. */
export interface Operation extends TraversalNode {
  readonly action: OperationAction;
  /** A step (P27): the node decides again after it. */
  readonly isStep?: true;
  readonly generation: number;
  readonly startedAt: number;
  readonly deadline: number;
  /** The provider's handle for further calls. It is null until the first answer is stored. */
  readonly handle: string | null;
  readonly type: string;
  readonly templateId: string;
  /** Sealed JSON of the resolved properties, so that any worker can repeat the call. */
  readonly properties: string;
  readonly requires: readonly string[];
  /** The row's state before the operation, to which a replacement returns it. */
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

export interface Pause extends TraversalNode {
  readonly hook: Hook;
  readonly cleared: boolean;
}

/** The fields that the first records of rows had. Later ones stand in Resource. */
interface FirstResource {
  readonly tenant: string;
  readonly stackId: string;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** The fence: the newest traversal that claimed or stamped this row. Older ones are refused. */
  readonly number: number;
  /** The store raises it at every accepted write. */
  readonly version: number;
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
  /** The traversals that completed the row's update node and its cleanup node. */
  readonly updateDone: string | null;
  readonly cleanupDone: string | null;
  /** The node that failed last. A redelivered message must not try it again. */
  readonly failed: TraversalNode | null;
  readonly checkFailed: boolean;
  readonly operation: Operation | null;
  readonly lease: Lease | null;
  readonly pause: Pause | null;
  /**
   * Each final signal raises it. A worker that writes "not yet", or that ends the operation at a
   * deadline, does so only if it is as read.
   */
  readonly signals: number;
  readonly nextPollAt: number | null;
  readonly waitUntil: number | null;
  readonly signalReason: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /**
   * When the store may remove a tombstone or a row that was never claimed. After that, nothing may
   * depend on whether the row still exists (P10).
   */
  readonly expiresAt: number | null;
}

/**
 * A row is one version of a resource. A name can have several rows: the old one, its replacement, a
 * failed replacement.
 */
export interface Resource extends FirstResource {
  readonly health: Health | null;
  /** Its CREATE may have made an object, and only a user can say whether it did (P18). */
  readonly outcomeUnknown: boolean;
  /** The id of the user's object. No operation makes, changes or deletes it (P19). */
  readonly externalId: string | null;
  /** Set by a signal that makes an event even if its text repeats the one before. */
  readonly signalId: string | null;
}

/** Values of what older records lack. A later field without its value here does not compile. */
export const LATER_RESOURCE_FIELDS: Omit<Resource, keyof FirstResource> = {
  health: null,
  outcomeUnknown: false,
  externalId: null,
  signalId: null,
};

/** Heat's text for a signal that a resource does not accept during this action. */
export const refusedSignal = (action: Resource["action"]): string =>
  `Cannot signal resource during ${action}`;

export const HEALTHS = [
  "as made",
  "differs",
  "stopped",
  "gone",
  /** Its provider or a user has said that no update in place helps. */
  "beyond repair",
  /** The look itself has failed, or the provider has not said what it has found. */
  "unknown",
] as const;
export type HealthState = (typeof HEALTHS)[number];

export type Finding = Exclude<HealthState, "as made">;

/** What a look at a row's object has found (P27). Actions that do nothing about it keep it. */
export interface Health {
  readonly state: HealthState;
  readonly what: string;
  /** The traversal that looked last. It is null when a user has said it. */
  readonly seenBy: string | null;
}

type Looked = Pick<Resource, "action" | "status" | "checkFailed" | "statusReason" | "health">;

/**
 * Rows of a former version have no health. A failed CHECK of such a row said nothing more, and a
 * row that failed without a CHECK was marked by a user.
 */
export const healthOf = (row: Looked): Health => {
  if (row.health !== null) return row.health;
  if (row.action !== "CHECK" || row.status !== "FAILED") return AS_MADE;
  const state = row.checkFailed ? "unknown" : "beyond repair";
  return { state, what: row.statusReason, seenBy: null };
};

const AS_MADE: Health = { state: "as made", what: "", seenBy: null };

export const HOOKS = [
  "pre-create",
  "pre-update",
  "pre-delete",
  "post-create",
  "post-update",
  "post-delete",
] as const;

export type Hook = (typeof HOOKS)[number];

export const RESTRICTED_ACTIONS = ["update", "replace"] as const;

export type RestrictedAction = (typeof RESTRICTED_ACTIONS)[number];
