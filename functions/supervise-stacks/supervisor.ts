/**
 * Watches stack operations: one execution each, which ends with the operation or wakes at its
 * deadline.
 */

export interface TraversalRef {
  readonly tenant: string;
  readonly stackId: string;
  readonly traversalId: string;
}

export interface Watch extends TraversalRef {
  /** Until the stack's deadline, at least one. */
  readonly timeoutSeconds: number;
}

export type StackEnd = "COMPLETE" | "FAILED" | "OVERTAKEN";

export interface Supervisor {
  /** Starting a traversal's watch twice changes nothing. */
  start(watch: Watch): Promise<void>;
  /** Keeps the token that ends the watch. A later token of the same traversal replaces it. */
  putToken(traversalId: string, token: string): Promise<void>;
  getToken(traversalId: string): Promise<string | null>;
  /** Ending a watch that has ended changes nothing. */
  end(token: string, outcome: StackEnd): Promise<void>;
}

/** What the stream's handler needs, and what the supervisor's task needs. */
export type Starter = Pick<Supervisor, "start" | "getToken" | "end">;
export type Ender = Pick<Supervisor, "putToken" | "end">;
