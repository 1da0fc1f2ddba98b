import type { WireEvent } from "#client/wire.ts";
import { type Tone, toneOf } from "./status.ts";
import { timeOf } from "./time.ts";

export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly tone: Tone;
  /** For example `CREATE_COMPLETE`. A running operation has the status of its start. */
  readonly status: string;
}

export interface Wait {
  readonly from: number;
  readonly to: number;
}

export interface Row {
  readonly name: string;
  readonly bars: readonly Bar[];
  /** From the stack's operation, or the resource's last one, to the resource's next one. */
  readonly waits: readonly Wait[];
}

export interface Timeline {
  readonly from: number;
  readonly to: number;
  readonly rows: readonly Row[];
}

interface Begun {
  readonly from: number;
  readonly status: string;
}

const isStart = (status: string): boolean => status.endsWith("_IN_PROGRESS");

/**
 * `events` come with the newest first, as the server lists them. Their times are whole seconds, so
 * only their order tells starts from ends. Running operations end at `now`. An end without a start
 * is left out, because its start is older than the events that were read.
 * @returns null when there is nothing to show.
 */
export const timelineOf = (
  events: readonly WireEvent[],
  now: number,
  stackName: string,
): Timeline | null => {
  const begun = new Map<string, Begun>();
  const rows = new Map<string, { readonly bars: Bar[]; readonly waits: Wait[] }>();
  /** Infinity means that the operation is older than the events that were read. */
  let operation = Number.POSITIVE_INFINITY;
  const inOrder = events
    .map(({ resource_name: name, resource_status: status, event_time }) => ({
      name,
      status,
      at: timeOf(event_time),
    }))
    // A signal is a message to a running operation, or to none.
    .filter(({ at, status }) => !Number.isNaN(at) && !status.startsWith("SIGNAL_"))
    .toReversed();
  const close = (name: string, to: number, status: string): void => {
    const start = begun.get(name);
    if (start === undefined) return;
    begun.delete(name);
    rows.get(name)?.bars.push({ from: start.from, to, tone: toneOf(status), status });
  };
  for (const { name, status, at } of inOrder) {
    // Another start ends an overtaken operation.
    close(name, at, status);
    if (!isStart(status)) continue;
    begun.set(name, { from: at, status });
    const row = rows.get(name) ?? { bars: [], waits: [] };
    rows.set(name, row);
    if (name === stackName) operation = at;
    const from = Math.max(operation, row.bars.at(-1)?.to ?? operation);
    if (from < at) row.waits.push({ from, to: at });
  }
  for (const [name, { status }] of [...begun]) close(name, now, status);
  const bars = [...rows.values()].flatMap((row) => row.bars);
  if (bars.length === 0) return null;
  return {
    from: bars.reduce((min, bar) => Math.min(min, bar.from), Number.POSITIVE_INFINITY),
    to: bars.reduce((max, bar) => Math.max(max, bar.to), 0),
    rows: [...rows].map(([name, row]) => ({ name, ...row })),
  };
};

const SECOND_MS = 1_000;
const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** The two largest units: nobody compares the seconds of days. */
export const durationText = (ms: number): string => {
  if (ms < SECOND_MS) return "under 1 s";
  const seconds = Math.round(ms / SECOND_MS);
  const first = UNITS.findIndex(([, size]) => seconds >= size);
  return UNITS.slice(first, first + 2)
    .map(([unit, size], at) => {
      const rest = at === 0 ? seconds : seconds % (UNITS[first]?.[1] ?? 1);
      return `${Math.floor(rest / size)} ${unit}`;
    })
    .join(" ");
};
