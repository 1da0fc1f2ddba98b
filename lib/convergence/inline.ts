/**
 * P6: one message visits several nodes. After a visit the worker goes on with one node that became
 * ready, so that a chain costs no message for each hop. It sends all other ready nodes before that.
 *
 * A redelivered message has two more duties. Its first delivery may have died before it sent the
 * nodes that it had made ready, so it sends them again. It may also have died in a node that it
 * visited inline, for which there is no message. So the redelivery walks once through the done
 * nodes, to where the first delivery ended.
 *
 * A first delivery must do neither: the visit that arrived before it is about to send. If
 * duplicates sent and walked too, their number would double at every hop. A queue that does not
 * count its deliveries must report every delivery as repeated.
 */
import type { NodeKey } from "#lib/model/graph.ts";
import type { Clock } from "#lib/ports/clock.ts";
import { INLINE_MS_MAX, INLINE_NODES_MAX, INLINE_REMAINING_MS_MIN } from "./limits.ts";
import type { Budget, VisitResult } from "./visit.ts";

export interface Continuation {
  /** The node to visit inline. Null: the message is done. */
  readonly next: NodeKey | null;
  /** The ready nodes to send before that. */
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
