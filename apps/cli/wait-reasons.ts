/**
 * Prints why resources wait where there is no live tree: in a pipe, in a log, in CI. For example:
 *
 *     2026-01-01T00:00:30Z [dep] waits: published 32 s ago; server box has not polled yet
 *
 * A reason is printed when it changes, and again when nothing has changed for a while, so that a
 * command that waits does not look like one that hangs. Times that pass are no change.
 */
import type { WireStack } from "#client/wire.ts";

const REMINDERS_MS = [30_000, 120_000, 600_000] as const;
/** Later reminders come every ten minutes, because many CI systems end a silent job then. */
const REMINDER_INTERVAL_MS = 600_000;
const REASONS_MAX = 5;

/** Times such as `12 s` and `3 min` differ at each look. */
const TIMES = /\b\d+ (?:s|min|h|days)\b/g;

interface WaitReasons {
  readonly heard: (now: number) => void;
  readonly due: (
    stack: Pick<WireStack, "stack_name" | "stack_status">,
    causes: ReadonlyMap<string, string>,
    now: number,
  ) => readonly string[];
}

export const openWaitReasons = (begunAt: number): WaitReasons => {
  let printed = new Map<string, string>();
  let changedAt = begunAt;
  let reminders = 0;
  const heard = (now: number): void => {
    changedAt = now;
    reminders = 0;
  };
  return {
    heard,
    due: ({ stack_name: name, stack_status: status }, causes, now) => {
      const changed = [...causes].filter(([of, text]) => printed.get(of) !== timeless(text));
      printed = new Map([...causes].map(([of, text]) => [of, timeless(text)]));
      if (changed.length > 0) {
        heard(now);
        return reasonLines(changed, now);
      }
      if (now - changedAt < reminderMs(reminders)) return [];
      reminders += 1;
      const still = `${timeText(now)} [${name}] is still ${status}: "hearth stack diagnose ${name}" says more.`;
      return [...reasonLines([...causes], now), still];
    },
  };
};

const timeless = (text: string): string => text.replaceAll(TIMES, "");

const reminderMs = (given: number): number =>
  REMINDERS_MS[given] ?? (given - REMINDERS_MS.length + 2) * REMINDER_INTERVAL_MS;

const reasonLines = (
  reasons: readonly (readonly [name: string, text: string])[],
  now: number,
): readonly string[] => {
  const shown = reasons
    .slice(0, REASONS_MAX)
    .map(([name, text]) => `${timeText(now)} [${name}] waits: ${text}`);
  const more = reasons.length - shown.length;
  return more === 0 ? shown : [...shown, `${timeText(now)} ${more} more resources wait.`];
};

const timeText = (now: number): string => `${new Date(now).toISOString().slice(0, 19)}Z`;
