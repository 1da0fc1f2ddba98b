/**
 * What a server remembers of each token: whether a request is being worked on, and the time of the
 * latest one. So nobody can send a request once more, and a late one does not follow its successor.
 */
import { CLOCK_SECONDS_MAX } from "./protocol.ts";

const TOKENS_MAX = 100_000;
/** A request with an earlier time is refused for its time. */
const KEPT_MS = 2 * CLOCK_SECONDS_MAX * 1_000;

interface Seen {
  readonly time: number;
  /** By the server's own clock. */
  readonly until: number;
}

export class SeenRequests {
  readonly #seen = new Map<string, Seen>();
  readonly #running = new Set<string>();

  /** Who is admitted calls `end` afterwards. */
  admit(token: string, time: number, now: number): "admitted" | "replayed" | "busy" | "too_many" {
    this.#forget(now);
    const seen = this.#seen.get(token);
    if (seen !== undefined && time <= seen.time) return "replayed";
    if (this.#running.has(token)) return "busy";
    if (seen === undefined && this.#seen.size >= TOKENS_MAX) return "too_many";
    // Deleted first: the map stays in the order of its times.
    this.#seen.delete(token);
    this.#seen.set(token, { time, until: now + KEPT_MS });
    this.#running.add(token);
    return "admitted";
  }

  end(token: string): void {
    this.#running.delete(token);
  }

  #forget(now: number): void {
    for (const [token, { until }] of this.#seen) {
      if (until > now) return;
      this.#seen.delete(token);
    }
  }
}
