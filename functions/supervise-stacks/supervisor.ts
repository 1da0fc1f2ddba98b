/** What keeps watch over stack operations: one execution each, which ends with it or wakes at its deadline. */

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
  /** Starting the same traversal's watch again changes nothing. */
  start(watch: Watch): Promise<void>;
  /** Keeps the token by which the watch can be ended; a later one of the same traversal replaces it. */
  putToken(traversalId: string, token: string): Promise<void>;
  getToken(traversalId: string): Promise<string | null>;
  /** Ending a watch that has ended changes nothing. */
  end(token: string, outcome: StackEnd): Promise<void>;
}

/** Only a supervisor's own: starting it, or what its task does. */
export type Starter = Pick<Supervisor, "start" | "getToken" | "end">;
export type Ender = Pick<Supervisor, "putToken" | "end">;
