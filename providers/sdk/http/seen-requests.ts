/**
 * Protects a server against replays. It remembers for each token whether a request is running, and
 * the time of the latest one. So nobody can send a recorded request again, and a delayed request
 * cannot run after a later one of the same token.
 */
import { CLOCK_SECONDS_MAX } from "./protocol.ts";

const TOKENS_MAX = 100_000;
/** After this time the check of the clock (CLOCK_SECONDS_MAX) refuses the same request. */
const KEPT_MS = 2 * CLOCK_SECONDS_MAX * 1_000;

interface Seen {
  readonly time: number;
  readonly until: number;
}

export class SeenRequests {
  readonly #seen = new Map<string, Seen>();
  readonly #running = new Set<string>();

  /** After "admitted" the caller must call `end`. */
  admit(token: string, time: number, now: number): "admitted" | "replayed" | "busy" | "too_many" {
    this.#forget(now);
    const seen = this.#seen.get(token);
    if (seen !== undefined && time <= seen.time) return "replayed";
    if (this.#running.has(token)) return "busy";
    if (seen === undefined && this.#seen.size >= TOKENS_MAX) return "too_many";
    // Deleting first keeps the map ordered by `until`, which `#forget` relies on.
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
