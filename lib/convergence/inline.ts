/**
 * One message visits several nodes (P6). The worker goes on with one node that became ready, so
 * that a chain costs no message for each hop, and sends the other ready nodes first.
 *
 * The first delivery of a repeated message may have died. So a repeated one sends the nodes again
 * that had become ready, and walks once through the done nodes to where the first one ended: a node
 * that was visited inline has no message. A first delivery must do neither, or the number of
 * duplicates would double at every hop. A queue that does not count deliveries must report each as
 * repeated.
 */
import type { NodeKey } from "#lib/model/graph.ts";
import type { Clock } from "#lib/ports/ports.ts";
import { INLINE_MS_MAX, INLINE_NODES_MAX, INLINE_REMAINING_MS_MIN } from "./limits.ts";
import type { Budget, VisitResult } from "./visit.ts";

export interface Continuation {
  readonly next: NodeKey | null;
  readonly send: readonly NodeKey[];
}

export class InlineContinuation {
  readonly #clock: Clock;
  readonly #budget: Budget;
  readonly #isRepeated: boolean;
  readonly #startedAt: number;
  readonly #walk: NodeKey[] = [];
  readonly #walked = new Set<string>();
  #visited = 0;

  constructor(clock: Clock, budget: Budget) {
    this.#clock = clock;
    this.#budget = budget;
    this.#isRepeated = budget.isRepeated !== false;
    this.#startedAt = clock.now();
  }

  after({ ready = [], again = [], done = [] }: VisitResult): Continuation {
    this.#visited++;
    if (this.#isRepeated) this.#walkThrough(done);
    const open = this.#isRepeated ? [...ready, ...again] : ready;
    const next = open[0] ?? this.#walk.shift() ?? null;
    if (next === null || !this.#mayGoOn()) return { next: null, send: open };
    return { next, send: open.slice(1) };
  }

  #walkThrough(done: readonly NodeKey[]): void {
    for (const node of done) {
      const key = `${node.resourceId}${node.isUpdate}`;
      if (!this.#walked.has(key)) this.#walk.push(node);
      this.#walked.add(key);
    }
  }

  #mayGoOn(): boolean {
    return (
      this.#visited < INLINE_NODES_MAX &&
      this.#clock.now() - this.#startedAt < INLINE_MS_MAX &&
      this.#budget.remainingMs() > INLINE_REMAINING_MS_MIN
    );
  }
}
