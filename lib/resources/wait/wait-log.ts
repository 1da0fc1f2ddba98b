/**
 * What has happened to a wait condition handle, as a log of immutable entries: an entry takes the first slot that
 * is free, and no slot is free below one that is taken. So signals that come at the same moment are all kept, in one
 * order that everybody sees; and of a signal and a condition that begins to wait, the later one sees the other.
 */
import * as z from "zod/mini";
import { requestLimitExceeded } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { type Owner, openText, sealText } from "#lib/software-config/configs/config-content.ts";

export interface WaitSignal {
  readonly entry: "signal";
  readonly status: "SUCCESS" | "FAILURE";
  readonly data: Json;
  /** Absent: the number of the signal. */
  readonly id?: string;
  /** Absent: that it has come. */
  readonly reason?: string;
}

/** A condition that waits, to be woken by each signal. */
export interface Waiter {
  readonly entry: "waiter";
  readonly resourceId: string;
  readonly generation: number;
}

export type WaitLogEntry =
  | WaitSignal
  | Waiter
  /** A condition was deleted: the signals before count no more. */
  | { readonly entry: "cleared" }
  /** NO_SIGNAL: nobody has to wait. */
  | { readonly entry: "never signalled" };

const entrySchema = z.discriminatedUnion("entry", [
  z.object({
    entry: z.literal("signal"),
    status: z.enum(["SUCCESS", "FAILURE"]),
    data: z.json(),
    id: z.exactOptional(z.string()),
    reason: z.exactOptional(z.string()),
  }),
  z.object({ entry: z.literal("waiter"), resourceId: z.string(), generation: z.number() }),
  z.object({ entry: z.literal("cleared") }),
  z.object({ entry: z.literal("never signalled") }),
]);

/** Whoever knows a handle's URL can fill its log, but not the store; the engine's own entries go on finding room. */
export const WAIT_SIGNALS_MAX = 1_000;
export const WAIT_LOG_ENTRIES_MAX = 2 * WAIT_SIGNALS_MAX;
const PARALLEL_READS_MAX = 16;

export interface WaitHandle extends Owner {
  readonly handleId: string;
}

const slotKey = ({ handleId }: WaitHandle, slot: number): string => `wait/${handleId}/${slot}`;

const readSlot = async (
  { blobs, cipher }: Ports,
  handle: WaitHandle,
  slot: number,
): Promise<WaitLogEntry | null> => {
  const sealed = await blobs.get(slotKey(handle, slot));
  return sealed === null
    ? null
    : entrySchema.parse(JSON.parse(await openText(cipher, handle, sealed)));
};

/** All entries in their order. */
export const readWaitLog = async (
  ports: Ports,
  handle: WaitHandle,
): Promise<readonly WaitLogEntry[]> => {
  const entries: WaitLogEntry[] = [];
  while (entries.length < WAIT_LOG_ENTRIES_MAX) {
    const first = entries.length;
    const slots = Array.from({ length: PARALLEL_READS_MAX }, (_, at) => first + at);
    const read = await Promise.all(slots.map((slot) => readSlot(ports, handle, slot)));
    const end = read.indexOf(null);
    const found = end < 0 ? read : read.slice(0, end);
    entries.push(...found.filter((entry) => entry !== null));
    if (end >= 0) break;
  }
  return entries;
};

/** The log with the new entry as its last one. Throws 400 RequestLimitExceeded where there is no room for it. */
export const appendToWaitLog = async (
  ports: Ports,
  handle: WaitHandle,
  entry: WaitLogEntry,
): Promise<readonly WaitLogEntry[]> => {
  const sealed = await sealText(ports.cipher, handle, JSON.stringify(entry));
  const entriesMax = entry.entry === "signal" ? WAIT_SIGNALS_MAX : WAIT_LOG_ENTRIES_MAX;
  let entries = await readWaitLog(ports, handle);
  while (entries.length < entriesMax) {
    const put = await ports.blobs.put(slotKey(handle, entries.length), sealed);
    if (put === "stored") return [...entries, entry];
    entries = await readWaitLog(ports, handle);
  }
  throw requestLimitExceeded(`a handle takes at most ${WAIT_SIGNALS_MAX} signals.`);
};

/** From the end, so that what a crash leaves is a log again. */
export const deleteWaitLog = async (ports: Ports, handle: WaitHandle): Promise<void> => {
  const { length } = await readWaitLog(ports, handle);
  for (let slot = length - 1; slot >= 0; slot -= 1) await ports.blobs.delete(slotKey(handle, slot));
};
