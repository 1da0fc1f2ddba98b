/**
 * One state of the search: store, queue, provider, workers, clock and the faults left, all as
 * numbers of interned values. Equal numbers are equal states.
 */
import type { GraphPart, GraphPartKey, StoredGraph, SyncPoint } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { FakeAnswer, FakeObject } from "#lib/ports/fake-provider.ts";
import type { Message } from "#lib/ports/queue.ts";
import type { NestedMemory } from "../simulation/world/nested-checkers.ts";
import { Interner } from "./interner.ts";

export interface Entry {
  readonly message: Message;
  readonly deliverAt: number;
  readonly isRepeated: boolean;
}

export interface ProviderState {
  readonly objects: Readonly<Record<string, FakeObject>>;
  readonly answers: Readonly<Record<string, FakeAnswer>>;
}

export interface StoredPart {
  readonly key: GraphPartKey;
  readonly part: GraphPart;
}

/** The whole folder at one moment, at rest. Its workers do not come back (P14). */
export type Backup = Pick<
  State,
  "stack" | "formerStack" | "rows" | "points" | "graphs" | "parts" | "blobs" | "queue"
>;

export interface Ghost {
  /**
   * The number of the current traversal when a failure was last injected or its deadline passed.
   */
  readonly failedAt: number;
  readonly goodInTime: readonly string[];
  /** Operations that agents know, as ROW/GENERATION. Absent when no folder is restored. */
  readonly published?: readonly string[];
  readonly lost?: readonly string[];
}

export const FAULTS = [
  "crash",
  "duplicate",
  "loss",
  "stall",
  "sweep",
  "refusal",
  "poison",
  "throttle",
  "stale read",
  "rest",
  "restore",
] as const;
export type Fault = (typeof FAULTS)[number];

export interface State {
  now: number;
  stack: number;
  /** The stack before the last write, which the index of unsettled stacks may still show. */
  formerStack: number;
  nested: number[];
  rows: number[];
  points: number[];
  graphs: number[];
  parts: number[];
  provider: number;
  /**
   * Signals and template records. The records of requests are known from the start, so only their
   * keys are here.
   */
  blobs: number;
  queue: number[];
  workers: number[];
  /** In the order of FAULTS. */
  faults: number[];
  script: number;
  agents: number;
  ghost: number;
  memory: number;
  backup: number;
  life: number;
}

export const copyOf = (state: State): State => ({
  ...state,
  nested: [...state.nested],
  rows: [...state.rows],
  points: [...state.points],
  graphs: [...state.graphs],
  parts: [...state.parts],
  queue: [...state.queue],
  workers: [...state.workers],
  faults: [...state.faults],
});

const LISTS = [
  "nested",
  "rows",
  "points",
  "graphs",
  "parts",
  "queue",
  "workers",
  "faults",
] as const;
const FIELDS = [
  "now",
  "stack",
  "formerStack",
  "provider",
  "blobs",
  "script",
  "agents",
  "ghost",
  "memory",
  "backup",
  "life",
] as const;

/**
 * The hash has 64 bits in two halves. Among 4 million states, the odds that two share a hash are
 * about 1 in 2,000,000.
 */
export const hashOf = (state: State, into: Uint32Array): void => {
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  const mix = (value: number): void => {
    high = Math.imul(high ^ value, 0xcc9e2d51);
    high = (high ^ (high >>> 15)) >>> 0;
    low = Math.imul(low ^ (value + 0x165667b1), 0x1b873593) + high;
    low = (low ^ (low >>> 13)) >>> 0;
  };
  for (const field of FIELDS) mix(state[field]);
  for (const list of LISTS) {
    mix(-1);
    for (const value of state[list]) mix(value);
  }
  into[0] = Math.imul(high ^ (low >>> 16), 0x7feb352d) >>> 0;
  into[1] = Math.imul(low ^ (high >>> 16), 0x846ca68b) >>> 0;
};

export const values = () => ({
  stacks: new Interner<Stack | null>(),
  rows: new Interner<Resource>(),
  points: new Interner<SyncPoint>(),
  graphs: new Interner<StoredGraph>(),
  parts: new Interner<StoredPart>(),
  providers: new Interner<ProviderState>(),
  blobs: new Interner<Readonly<Record<string, string>>>(),
  entries: new Interner<Entry>(),
  ghosts: new Interner<Ghost>(),
  memories: new Interner<NestedMemory>(),
  backups: new Interner<Backup>(),
  results: new Interner<unknown>(),
});
export type Values = ReturnType<typeof values>;
