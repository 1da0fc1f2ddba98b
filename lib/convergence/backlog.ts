/**
 * A stack may have more ready nodes than the workers take in a minute. Then their messages wait in
 * the queue, and nobody can ask it for a single one. If it holds as many visits as the stack
 * misses, a round sends one part of the nodes only, each round another one (ADR 15).
 */
import type { Ports } from "#lib/ports/ports.ts";
import { BACKLOG_PARTS, BACKLOG_VISITS_MIN } from "./limits.ts";
import type { StalledNode } from "./stalled-nodes.ts";

const ROUND_MS = 60_000;
/**
 * The golden ratio takes the parts in turn for any distance of two rounds. By counting the rounds,
 * a stack that only every second round reaches would never get half of the parts.
 */
const STRIDE = 0.618_033_988_749_895;

/** One for each round of the sweeper: it asks for the depth of the queue at most once. */
export class Backlog {
  readonly #ports: Ports;
  #queued: Promise<number> | null = null;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async dueOf(overdue: readonly StalledNode[]): Promise<readonly StalledNode[]> {
    if (overdue.length <= BACKLOG_VISITS_MIN) return overdue;
    this.#queued ??= queuedVisits(this.#ports);
    if ((await this.#queued) < overdue.length) return overdue;
    const round = Math.floor(this.#ports.clock.now() / ROUND_MS);
    const part = Math.floor(((round * STRIDE) % 1) * BACKLOG_PARTS);
    return overdue.filter(({ at }) => at % BACKLOG_PARTS === part);
  }
}

const queuedVisits = async (ports: Ports): Promise<number> => {
  const check = (await ports.queue.depths()).find(({ queue }) => queue === "check");
  return check === undefined ? 0 : check.waiting + check.delayed + check.inFlight;
};
