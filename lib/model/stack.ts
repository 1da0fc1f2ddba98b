/** The record of a stack: plain, readonly data. docs/convergence.md says who writes which field. */
import type { StackAction, Status } from "./action.ts";

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
