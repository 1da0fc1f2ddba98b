/**
 * The history of a wait condition handle: a log of immutable entries. Each entry is written to the
 * first free slot, so all readers see the same order without gaps, and concurrent signals are all
 * kept. A signal and a condition that begins to wait cannot miss each other: the later one reads
 * the entry of the earlier one (ADR 10).
 */
import * as z from "zod/mini";
import { requestLimitExceeded } from "#lib/errors.ts";
import { type Json, parseJson } from "#lib/json.ts";
import { json } from "#lib/json-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { openBlob, sealBlob } from "#lib/software-config/configs/config-content.ts";
import type { Owner } from "#lib/stack/stored-places.ts";
import { jsonText } from "#lib/template/python-text.ts";

const signalEntry = z.object({
  entry: z.literal("signal"),
  status: z.enum(["SUCCESS", "FAILURE"]),
  data: json,
  /** The default is the number of the signal. */
  id: z.exactOptional(z.string()),
  /** The default is Heat's text that a signal was received. */
  reason: z.exactOptional(z.string()),
});
const textEntry = z.object({ entry: z.literal("text"), text: z.string() });
const waiterEntry = z.object({
  entry: z.literal("waiter"),
  resourceId: z.string(),
  generation: z.number(),
});

const entrySchema = z.discriminatedUnion("entry", [
  signalEntry,
  textEntry,
  waiterEntry,
  /** A condition was deleted, so earlier signals no longer count. */
  z.object({ entry: z.literal("cleared") }),
  z.object({ entry: z.literal("never signalled") }),
]);

export type WaitSignal = z.infer<typeof signalEntry>;
export type WaitLogEntry = z.infer<typeof entrySchema>;
type Waiter = z.infer<typeof waiterEntry>;

/**
 * Senders can fill half of a log, but not the store. The rest is for the engine's entries.
 * @limit signals to one wait condition
 * @beyond 400 `RequestLimitExceeded`
 */
export const WAIT_SIGNALS_MAX = 1_000;
export const WAIT_LOG_ENTRIES_MAX = 2 * WAIT_SIGNALS_MAX;
const PARALLEL_READS_MAX = 16;

export const sentSignals = z.object({
  signals: z.array(z.discriminatedUnion("entry", [signalEntry, textEntry])),
});

export type WaitLogStore = Pick<Ports, "blobs" | "cipher">;

export interface WaitHandle extends Owner {
  readonly handleId: string;
}

const slotKey = ({ handleId }: WaitHandle, slot: number): string => `wait/${handleId}/${slot}`;

const readSlot = async (
  { blobs, cipher }: WaitLogStore,
  handle: WaitHandle,
  slot: number,
): Promise<WaitLogEntry | null> => {
  const key = slotKey(handle, slot);
  const sealed = await blobs.get(key);
  return sealed === null
    ? null
    : entrySchema.parse(parseJson(await openBlob(cipher, handle, key, sealed)));
};

export const readWaitLog = async (
  store: WaitLogStore,
  handle: WaitHandle,
): Promise<readonly WaitLogEntry[]> => {
  const entries: WaitLogEntry[] = [];
  while (entries.length < WAIT_LOG_ENTRIES_MAX) {
    const first = entries.length;
    const slots = Array.from({ length: PARALLEL_READS_MAX }, (_, at) => first + at);
    const read = await Promise.all(slots.map((slot) => readSlot(store, handle, slot)));
    const end = read.indexOf(null);
    const found = end < 0 ? read : read.slice(0, end);
    entries.push(...found.filter((entry) => entry !== null));
    if (end >= 0) break;
  }
  return entries;
};

/**
 * @returns the log with the new entry at its end.
 * @throws 400 RequestLimitExceeded when the log is full.
 */
export const appendToWaitLog = async (
  store: WaitLogStore,
  handle: WaitHandle,
  entry: WaitLogEntry,
): Promise<readonly WaitLogEntry[]> => {
  const text = JSON.stringify(entry);
  const isSent = entry.entry === "signal" || entry.entry === "text";
  const entriesMax = isSent ? WAIT_SIGNALS_MAX : WAIT_LOG_ENTRIES_MAX;
  let entries = await readWaitLog(store, handle);
  while (entries.length < entriesMax) {
    const key = slotKey(handle, entries.length);
    const put = await store.blobs.put(key, await sealBlob(store.cipher, handle, key, text));
    if (put === "stored") return [...entries, entry];
    entries = await readWaitLog(store, handle);
  }
  throw requestLimitExceeded(`a handle takes at most ${WAIT_SIGNALS_MAX} signals.`);
};

/** Deletes from the end, so that a crash leaves a log without gaps. */
export const deleteWaitLog = async (store: WaitLogStore, handle: WaitHandle): Promise<void> => {
  const { length } = await readWaitLog(store, handle);
  for (let slot = length - 1; slot >= 0; slot -= 1) await store.blobs.delete(slotKey(handle, slot));
};

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
