/**
 * The store of the convergence protocol. Every method is ONE atomic operation of the real service:
 * one conditional write on one item, or one strongly consistent read. So every await in the core
 * is exactly a place where a worker can die or lose a race, and nowhere else is.
 */
import type { StackEvent } from "#lib/model/event.ts";
import type { ConvergenceGraph, NodeData } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { SyncPoint, SyncPointKey } from "#lib/model/sync-point.ts";
import type { RowClause, StackClause } from "./conditions.ts";

export interface ResourceKey {
  readonly stackId: string;
  readonly id: string;
}

/** `version` is the store's own: it is raised by one with every accepted write. */
export type ResourceFields = Omit<Resource, "stackId" | "id" | "version">;

export interface RowChange {
  readonly set: Partial<ResourceFields>;
  /** The whole row to insert where there is none; without it an absent row is a refusal. */
  readonly insert?: Omit<Resource, "version">;
  /** Raise `signals` by one in the same write. */
  readonly addSignal?: boolean;
}

export type RowWrite =
  | { readonly written: true; readonly row: Resource }
  /** `row` is what stood there when the write was refused. */
  | { readonly written: false; readonly row: Resource | null };

export type StackChange = Partial<Omit<Stack, "tenant" | "id" | "name" | "statusVersion">>;

export type StackWrite =
  | { readonly written: true; readonly stack: Stack }
  | { readonly written: false; readonly stack: Stack | null };

export interface Arrival {
  readonly stackId: string;
  /** Position among the waiting node's predecessors (or of the reporting bucket). */
  readonly predecessor: number;
  readonly fanIn: number;
  /** Stored in the same write; null where it lies beside (wide nodes) or there is none. */
  readonly data: NodeData | null;
  readonly expiresAt: number;
}

export interface ArrivalResult {
  /** False: this predecessor had arrived before; nothing was written. */
  readonly accepted: boolean;
  /** The state after the write, or as it stood when refused. */
  readonly syncPoint: SyncPoint;
}

export interface EventQuery {
  /** Exclusive; an unknown marker is ignored, as Heat does. */
  readonly marker?: string;
  readonly limit?: number;
  readonly descending?: boolean;
  readonly resourceName?: string;
}

export interface Store {
  /** Put if absent. */
  createStack(stack: Stack): Promise<"created" | "exists">;
  getStack(tenant: string, id: string): Promise<Stack | null>;
  /** All stacks of a tenant, the deleted ones too, newest first. */
  listStacks(tenant: string): Promise<readonly Stack[]>;
  /** Those with `settled` false, for the sweeper. Throws SomeUnreadable with the others where some cannot be read. */
  listUnsettledStacks(): Promise<readonly Stack[]>;
  writeStack(
    tenant: string,
    id: string,
    when: readonly StackClause[],
    change: StackChange,
  ): Promise<StackWrite>;

  /** Put if absent; answers the id that the name stands for after the call. */
  putStackName(tenant: string, name: string, stackId: string): Promise<string>;
  getStackName(tenant: string, name: string): Promise<string | null>;
  /** Conditional on the old id. */
  takeOverStackName(tenant: string, name: string, oldId: string, newId: string): Promise<boolean>;

  /** Put if absent; answers the graph that is stored after the call. */
  putGraph(graph: ConvergenceGraph): Promise<ConvergenceGraph>;
  getGraph(stackId: string, traversalId: string): Promise<ConvergenceGraph | null>;

  getResource(key: ResourceKey): Promise<Resource | null>;
  /** Every row, tombstones too, read strongly. */
  listResources(stackId: string): Promise<readonly Resource[]>;
  writeResource(key: ResourceKey, when: readonly RowClause[], change: RowChange): Promise<RowWrite>;

  /** Adds the predecessor to the arrived set and raises `version`, on condition that it is not there yet. */
  arrive(key: SyncPointKey, arrival: Arrival): Promise<ArrivalResult>;
  getSyncPoint(key: SyncPointKey): Promise<SyncPoint | null>;
  /** Input data of a wide node, beside its counter. Writing the same again is harmless. */
  putInputData(
    key: SyncPointKey,
    predecessor: number,
    data: NodeData,
    expiresAt: number,
  ): Promise<void>;
  listInputData(key: SyncPointKey): Promise<Readonly<Record<string, NodeData>>>;
  /** At most SYNC_POINT_DELETE_KEYS_MAX keys; input data beside a point goes with it. Idempotent. */
  deleteSyncPoints(keys: readonly SyncPointKey[]): Promise<void>;

  /** Put if absent by id. */
  putEvent(event: StackEvent): Promise<void>;
  /** The same for several events of one stack, in one write. */
  putEvents(stackId: string, events: readonly StackEvent[]): Promise<void>;
  listEvents(stackId: string, query: EventQuery): Promise<readonly StackEvent[]>;

  /** The sweeper's heartbeat, of the whole deployment: when its last run came to its end. */
  recordSweep(at: number): Promise<void>;
  /** Null until the first run has ended. */
  lastSweepAt(): Promise<number | null>;
}

export const SYNC_POINT_DELETE_KEYS_MAX = 25;
