/** The record of a stack. docs/convergence.md lists which write may change which field. */
import type { StackAction, Status } from "./action.ts";

/**
 * The owner of a nested stack: a row of its parent, and that row's operation that began the current
 * traversal here. Only the acceptance of such an operation sets it (P13).
 */
export interface StackOwner {
  readonly stackId: string;
  readonly resourceId: string;
  readonly resourceName: string;
  /** The fence: the generation of the row's newest operation that this stack has accepted. */
  readonly generation: number;
  readonly childTraversalId: string;
  /**
   * For an operation in two traversals (P20). "second": `childTraversalId` is the second one.
   * "closed": the operation was interrupted after the first one, and begins no second one.
   */
  readonly step?: "second" | "closed";
  readonly rootId: string;
  readonly depth: number;
}

/** A snapshot is complete once its data is stored (stack-document.ts). */
export interface StackSnapshot {
  readonly id: string;
  readonly name: string | null;
  readonly createdAt: number;
}

/** The fields that the first records of stacks had. Later ones stand in Stack. */
interface FirstStack {
  readonly tenant: string;
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly action: StackAction;
  readonly status: Status;
  readonly statusReason: string;
  readonly traversalId: string;
  /** Rows are stamped with it, so that older visits are refused. */
  readonly traversalNumber: number;
  /** The store raises it at every accepted write. */
  readonly statusVersion: number;
  readonly templateId: string;
  /**
   * The template of the last traversal whose update was good. A rollback goes back to it, or to the
   * empty template when it is null.
   */
  readonly lastGood: string | null;
  /** The last traversal whose graph was published. Accepting a newer one does not change it. */
  readonly running: string | null;
  /** The previous traversal did not end COMPLETE, so its visits may still run (P2). */
  readonly overtook: boolean;
  /** Why a cleanup failed, while the update part of the traversal goes on. */
  readonly cleanupFailed: string | null;
  readonly suspended: boolean;
  readonly deadline: number;
  readonly timeoutMins: number;
  readonly disableRollback: boolean;
  readonly tags: readonly string[];
  /** Oldest first. */
  readonly snapshots: readonly StackSnapshot[];
  /**
   * False while the sweeper must look at this stack: it is in progress, operations still run after
   * a failure, it may have superseded a template (P16), or it is deleted but not retired.
   */
  readonly settled: boolean;
  readonly createdAt: number;
  readonly updatedAt: number | null;
  readonly endedAt: number | null;
  readonly deletedAt: number | null;
}

/** Each writer sets only the fields that it owns. Times are milliseconds since 1970. */
export interface Stack extends FirstStack {
  /**
   * Who asked for the last operation: `token:` and the id of the API token, or `iam:` and the
   * principal. It is null when nobody had to say, or when the engine itself began it.
   */
  readonly actor: string | null;
  /** What the stack had with `lastGood`. A rollback brings them back. */
  readonly lastGoodTags: readonly string[] | null;
  readonly lastGoodDescription: string | null;
  readonly convergedAt: number | null;
  /** The user asks the UPDATE to visit every resource (P24). */
  readonly visitsAll: boolean;
  /** Heat's `converge`: the UPDATE also mends what has changed outside of the stack (P24). */
  readonly converges: boolean;
  readonly abandonsUnreachable: boolean;
  /** When the traversal was accepted, and then published: its first messages are sent then. */
  readonly sentAt: number | null;
  readonly owner: StackOwner | null;
  /** When the record of a deleted stack may vanish (lib/engine/stacks/retire-stack.ts). */
  readonly expiresAt: number | null;
}

/** Values of what older records lack. A later field without its value here does not compile. */
export const LATER_STACK_FIELDS: Omit<Stack, keyof FirstStack> = {
  actor: null,
  lastGoodTags: null,
  lastGoodDescription: null,
  convergedAt: null,
  visitsAll: false,
  converges: false,
  abandonsUnreachable: false,
  sentAt: null,
  owner: null,
  expiresAt: null,
};

/** The only region in a host's catalog. The name is OpenStack's default. */
export const OWN_REGION = "RegionOne";
