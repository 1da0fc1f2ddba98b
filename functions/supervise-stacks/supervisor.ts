/**
 * Watches stack operations. Each has one execution, which ends with the operation or wakes at its
 * deadline.
 */

export interface TraversalRef {
  readonly tenant: string;
  readonly stackId: string;
  readonly traversalId: string;
}

export interface Watch extends TraversalRef {
  readonly timeoutSeconds: number;
}

export type StackEnd = "COMPLETE" | "FAILED" | "OVERTAKEN";

export interface Supervisor {
  start(watch: Watch): Promise<void>;
  /** Stores the token that ends the watch. A later token of the same traversal replaces it. */
  putToken(traversalId: string, token: string): Promise<void>;
  getToken(traversalId: string): Promise<string | null>;
  /** Ending a watch that has ended changes nothing. */
  end(token: string, outcome: StackEnd): Promise<void>;
}

export type Starter = Pick<Supervisor, "start" | "getToken" | "end">;
export type Ender = Pick<Supervisor, "putToken" | "end">;
