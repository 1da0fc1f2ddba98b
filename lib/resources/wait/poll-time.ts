/** Signals wake a waiting resource. The polls, in case a signal is lost, get rarer with time. */
const POLL_MS_MIN = 5_000;
const POLL_MS_MAX = 30_000;

export const pollAfterMs = (waitedMs: number, leftMs: number): number =>
  Math.min(Math.max(waitedMs, POLL_MS_MIN), POLL_MS_MAX, leftMs);
