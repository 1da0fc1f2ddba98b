/**
 * The history of a wait condition handle, as a log of immutable entries. An entry takes the first
 * free slot, so the log has no gaps. It keeps all signals of the same moment, in one order for
 * every reader. A signal and a condition that begins to wait cannot miss each other: the later one
 * sees the earlier one (ADR 10).
 */
import * as z from "zod/mini";
import { requestLimitExceeded } from "#lib/errors.ts";
import { type Json, parseJson } from "#lib/json.ts";
import { json } from "#lib/json-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { openBlob, sealBlob } from "#lib/software-config/configs/config-content.ts";
import type { Owner } from "#lib/stack/sealed-place.ts";

export interface WaitSignal {
  readonly entry: "signal";
  readonly status: "SUCCESS" | "FAILURE";
  readonly data: Json;
  /** Absent: the number of the signal. */
  readonly id?: string;
  /** Absent: Heat's text that a signal was received. */
  readonly reason?: string;
}

/** What came to a SwiftSignalHandle, as it came. The waiting resource reads it. */
export interface UploadedText {
  readonly entry: "text";
  readonly text: string;
}

/** A waiting condition. Each signal wakes it. */
export interface Waiter {
  readonly entry: "waiter";
  readonly resourceId: string;
  readonly generation: number;
}

export type WaitLogEntry =
  | WaitSignal
  | UploadedText
  | Waiter
  /** A condition was deleted: earlier signals no longer count. */
  | { readonly entry: "cleared" }
  /** NO_SIGNAL: conditions do not wait. */
  | { readonly entry: "never signalled" };

const signalEntry = z.object({
  entry: z.literal("signal"),
  status: z.enum(["SUCCESS", "FAILURE"]),
  data: json,
  id: z.exactOptional(z.string()),
  reason: z.exactOptional(z.string()),
});
const textEntry = z.object({ entry: z.literal("text"), text: z.string() });

const entrySchema = z.discriminatedUnion("entry", [
  signalEntry,
  textEntry,
  z.object({ entry: z.literal("waiter"), resourceId: z.string(), generation: z.number() }),
  z.object({ entry: z.literal("cleared") }),
  z.object({ entry: z.literal("never signalled") }),
]);

/**
 * Senders can fill half of a log, but not the store. The rest is for the engine's entries.
 * @limit signals to one wait condition
 * @beyond 400 `RequestLimitExceeded`
 */
export const WAIT_SIGNALS_MAX = 1_000;
export const WAIT_LOG_ENTRIES_MAX = 2 * WAIT_SIGNALS_MAX;
const PARALLEL_READS_MAX = 16;

/** The signals that still count, as the document of an abandoned stack has them. */
export const sentSignals = z.object({
  signals: z.array(z.discriminatedUnion("entry", [signalEntry, textEntry])),
});

/** Where the log is. Its entries are sealed for the handle's stack. */
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

/** Returns the log with the new entry at its end. Throws 400 RequestLimitExceeded if it is full. */
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

/** From the end, so that a crash leaves a log without gaps. */
export const deleteWaitLog = async (store: WaitLogStore, handle: WaitHandle): Promise<void> => {
  const { length } = await readWaitLog(store, handle);
  for (let slot = length - 1; slot >= 0; slot -= 1) await store.blobs.delete(slotKey(handle, slot));
};
