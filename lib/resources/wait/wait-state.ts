import type { Json } from "#lib/json.ts";
import { jsonText } from "#lib/template/python-text.ts";
import type { Waiter, WaitLogEntry, WaitSignal } from "./wait-log.ts";

export interface StoredSignal {
  readonly status: WaitSignal["status"];
  readonly data: Json;
  readonly reason: string;
}

export interface WaitState {
  /** By id. A repeated id overwrites the first signal and keeps its place. */
  readonly signals: ReadonlyMap<string, StoredSignal>;
  readonly waiters: readonly Waiter[];
  readonly needsNoSignal: boolean;
}

/**
 * As in Heat, the default id is the count of signals plus one, even if senders choose other ids.
 */
const withDefaults = (
  { id, reason, status, data }: WaitSignal,
  count: number,
): readonly [string, StoredSignal] => {
  const number = count + 1;
  return [id ?? String(number), { status, data, reason: reason ?? `Signal ${number} received` }];
};

export const lastSignal = (log: readonly WaitLogEntry[], signal: WaitSignal): StoredSignal =>
  withDefaults(signal, waitStateOf(log.slice(0, -1)).signals.size)[1];

export const waitStateOf = (log: readonly WaitLogEntry[]): WaitState => {
  const signals = new Map<string, StoredSignal>();
  const waiters = new Map<string, Waiter>();
  let needsNoSignal = false;
  for (const entry of log) {
    if (entry.entry === "signal") signals.set(...withDefaults(entry, signals.size));
    else if (entry.entry === "waiter") waiters.set(entry.resourceId, entry);
    else if (entry.entry === "cleared") signals.clear();
    else if (entry.entry === "never signalled") needsNoSignal = true;
  }
  return { signals, waiters: [...waiters.values()], needsNoSignal };
};

export const dataText = ({ signals }: WaitState): string => {
  const text = (value: Json): string => jsonText(value, { sortKeys: false });
  const members = [...signals].map(([id, { data }]) => `${text(id)}: ${text(data)}`);
  return `{${members.join(", ")}}`;
};

export type WaitVerdict =
  | { readonly verdict: "complete" }
  | { readonly verdict: "waiting" }
  | { readonly verdict: "failed"; readonly errorType: string; readonly reason: string };

const reasonsOf = ({ signals }: WaitState, status: StoredSignal["status"]): readonly string[] =>
  [...signals.values()].filter((signal) => signal.status === status).map(({ reason }) => reason);

/** Checks in Heat's order: the timeout, failures, then the count. */
export const judgeWait = (state: WaitState, count: number, isOver: boolean): WaitVerdict => {
  if (state.needsNoSignal) return { verdict: "complete" };
  if (isOver) {
    const received = reasonsOf(state, "SUCCESS");
    const number = `${received.length} of ${count} received`;
    const reason = received.length === 0 ? number : `${number} - ${received.join(";")}`;
    return { verdict: "failed", errorType: "WaitConditionTimeout", reason };
  }
  const failures = reasonsOf(state, "FAILURE");
  if (failures.length > 0) {
    const reason = failures.join(";");
    return { verdict: "failed", errorType: "WaitConditionFailure", reason };
  }
  return { verdict: state.signals.size >= count ? "complete" : "waiting" };
};
