/** The record of a stack. docs/convergence.md lists which write may change which field. */
import type { StackAction, Status } from "./action.ts";

/**
 * The owner of a nested stack: a row of its parent, and the operation of that row that began the
 * current traversal here. Only the acceptance of such an operation sets it (P13).
 */
export interface StackOwner {
  readonly stackId: string;
  readonly resourceId: string;
  readonly resourceName: string;
  /** The fence: the generation of the newest operation of the row that this stack has accepted. */
  readonly generation: number;
  /** The traversal that this operation began in this stack. */
  readonly childTraversalId: string;
  /**
   * Of an operation in two traversals (P20). "second": `childTraversalId` is the second one.
   * "closed": the operation was interrupted after the first one, and begins no second one. Absent:
   * the operation is at its first traversal, or has only one.
   */
  readonly step?: "second" | "closed";
  /** The stack at the top, which has no owner. */
  readonly rootId: string;
  /** The number of stacks above: 1 directly below a root. */
  readonly depth: number;
}

/** A snapshot is complete once its data is stored (stack-document.ts). */
export interface StackSnapshot {
  /** The id of the traversal that takes it. */
  readonly id: string;
  readonly name: string | null;
  readonly createdAt: number;
}

/**
 * Each writer sets only the fields that it owns (P1, P2, P7, P8). Times are milliseconds since
 * 1970.
 */
export interface Stack {
  readonly tenant: string;
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly action: StackAction;
  readonly status: Status;
  readonly statusReason: string;
  /**
   * Who has asked for the last operation: `token:` and the id of the API token, or `iam:` and the
   * principal. Null: nobody had to say, the engine itself began the stack, or a former version
   * wrote it.
   */
  readonly actor: string | null;
  readonly traversalId: string;
  /**
   * Grows by one with each accepted operation. Rows are stamped with it, so that older visits are
   * refused.
   */
  readonly traversalNumber: number;
  /** The store raises it at every accepted write. */
  readonly statusVersion: number;
  /** The template record of the target. */
  readonly templateId: string;
  /**
   * The template of the last traversal whose update was good: the target of a rollback. Null: the
   * empty template.
   */
  readonly lastGood: string | null;
  /**
   * The tags and the description that the stack had with `lastGood`. A rollback brings them back.
   * Null: nothing was ever good, or a former version wrote the stack.
   */
  readonly lastGoodTags: readonly string[] | null;
  readonly lastGoodDescription: string | null;
  /** When `lastGood` was last written. Null: never, or a former version wrote the stack. */
  readonly convergedAt: number | null;
  /**
   * The last traversal whose graph was published. Accepting a newer traversal does not change it.
   */
  readonly running: string | null;
  /**
   * The previous traversal did not end COMPLETE. Its visits may still run, so its rows must be
   * stamped.
   */
  readonly overtook: boolean;
  /** An UPDATE visits every resource, as its user has asked (P24). */
  readonly visitsAll: boolean;
  /** An UPDATE also mends what has changed behind the stack's back, where its type can (P24). */
  readonly converges: boolean;
  /**
   * When the traversal was accepted or, once it is published, when that was. Its first messages are
   * sent then. Null: a former version wrote the stack.
   */
  readonly sentAt: number | null;
  /** The reason why a cleanup failed while the update part of the traversal goes on. */
  readonly cleanupFailed: string | null;
  readonly suspended: boolean;
  /** A DELETE gives up deployments whose server cannot be reached. */
  readonly abandonsUnreachable: boolean;
  readonly deadline: number;
  readonly timeoutMins: number;
  readonly disableRollback: boolean;
  readonly tags: readonly string[];
  /** Null for a root. */
  readonly owner: StackOwner | null;
  /** Oldest first. */
  readonly snapshots: readonly StackSnapshot[];
  /**
   * False while the sweeper must look at this stack. It is in progress, or FAILED with operations
   * that still run. It may have superseded a template (P16). Or it is deleted and not retired.
   */
  readonly settled: boolean;
  readonly createdAt: number;
  readonly updatedAt: number | null;
  /** When the last traversal ended or was cancelled. Null while one runs. */
  readonly endedAt: number | null;
  readonly deletedAt: number | null;
  /**
   * When the record of a deleted stack may vanish. Null: the stack is not deleted, or not retired
   * (lib/engine/retire-stack.ts). Then nothing else of it is left but what expires by itself.
   */
  readonly expiresAt: number | null;
}
