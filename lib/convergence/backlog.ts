/**
 * More than a hundred nodes of a stack may be overdue because their messages still wait in the
 * queue, and a queue cannot be asked for single messages. If it holds as many visits as the stack
 * misses, a round of the sweeper sends only one part of them, each round another part (ADR 15).
 */
import type { Ports } from "#lib/ports/ports.ts";
import { BACKLOG_PARTS, BACKLOG_VISITS_MIN } from "./limits.ts";
import type { StalledNode } from "./stalled-nodes.ts";

const ROUND_MS = 60_000;
/** The golden ratio gives every part its turn, whatever the distance of two rounds is. */
const STRIDE = 0.618_033_988_749_895;

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
