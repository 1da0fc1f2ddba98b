/**
 * The store of the convergence protocol. Every method is ONE atomic operation of the real service:
 * one conditional write on one item, or one strongly consistent read. So a worker can die or lose a
 * race at every await in the core, and nowhere else. The exceptions are long lists, and the writes
 * of several items in `deleteSyncPoints`, `expireEvents` and `expireWritten`. All of these can be
 * repeated.
 */
import type { OrderedEvent, StackEvent } from "#lib/model/event.ts";
import type {
  GraphPart,
  GraphPartKey,
  NodeData,
  StoredGraph,
  SyncPoint,
  SyncPointKey,
} from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { RowClause, StackClause } from "./conditions.ts";

export interface ResourceKey {
  readonly stackId: string;
  readonly id: string;
}

export type ResourceFields = Omit<Resource, "stackId" | "id" | "version">;

export interface RowChange {
  readonly set: Partial<ResourceFields>;
  /**
   * The whole row to insert if it is absent. Without it, the store refuses to write an absent row.
   */
  readonly insert?: Omit<Resource, "version">;
  readonly addSignal?: boolean;
}

export type RowWrite =
  | { readonly written: true; readonly row: Resource }
  | { readonly written: false; readonly row: Resource | null };

export type StackChange = Partial<Omit<Stack, "tenant" | "id" | "name" | "statusVersion">>;

export type StackWrite =
  | { readonly written: true; readonly stack: Stack }
  | { readonly written: false; readonly stack: Stack | null };

export interface Arrival {
  readonly stackId: string;
  readonly predecessor: number;
  readonly at: number;
  readonly fanIn: number;
  /** Null if there is no data, or if the data is stored beside the point (wide nodes). */
  readonly data: NodeData | null;
  readonly expiresAt: number;
}

export interface ArrivalResult {
  readonly accepted: boolean;
  readonly syncPoint: SyncPoint;
}

/** A busy service may leave some keys of a batch unread. */
interface SyncPointsRead {
  readonly points: readonly SyncPoint[];
  readonly unread: readonly SyncPointKey[];
}

export interface StackKey {
  readonly tenant: string;
  readonly id: string;
}

export interface UnsettledPage {
  readonly stacks: readonly StackKey[];
  readonly next: StackKey | null;
}

export interface NamedStack {
  readonly id: string;
  readonly createdAt: number | null;
}

/** Enough to choose the row that represents a name, and to find nested stacks. */
export type RowOutline = Pick<
  Resource,
  | "id"
  | "name"
  | "type"
  | "action"
  | "status"
  | "templateId"
  | "physicalResourceId"
  | "replaces"
  | "replacedBy"
  | "createdAt"
  | "updatedAt"
>;

export interface RowPage {
  readonly rows: readonly Resource[];
  readonly next: string | null;
}

export interface EventQuery {
  /** Exclusive. As in Heat, an unknown marker is ignored. */
  readonly marker?: string;
  readonly from?: number;
  readonly limit?: number;
  readonly descending?: boolean;
  readonly resourceName?: string;
}

export interface Stacks {
  createStack(stack: Stack): Promise<"created" | "exists">;
  getStack(tenant: string, id: string): Promise<Stack | null>;
  /** Reads at most STACKS_READ_MAX ids, each strongly consistently, but not all at one moment. */
  getStacks(tenant: string, ids: readonly string[]): Promise<readonly Stack[]>;
  listStacks(tenant: string): Promise<readonly Stack[]>;
  listStacksById(tenant: string, marker: string | null, limit: number): Promise<readonly Stack[]>;
  /**
   * At most `limit` stacks with `settled` false, after the key `after`, for the sweeper, in an
   * order of the store's own. The list may miss recent writes. A stack that disappears between two
   * pages does not hide others.
   */
  listUnsettledStacks(after: StackKey | null, limit: number): Promise<UnsettledPage>;
  writeStack(
    tenant: string,
    id: string,
    when: readonly StackClause[],
    change: StackChange,
  ): Promise<StackWrite>;
}

export interface StackNames {
  putStackName(tenant: string, name: string, stack: NamedStack): Promise<string>;
  getStackName(tenant: string, name: string): Promise<string | null>;
  takeOverStackName(
    tenant: string,
    name: string,
    oldId: string,
    stack: NamedStack,
  ): Promise<boolean>;
  listNamedStacks(tenant: string): Promise<readonly NamedStack[]>;
  deleteStackName(tenant: string, name: string, stackId: string): Promise<void>;
}

export interface Graphs {
  /**
   * Writes only if absent. The graph's parts must be written before.
   * @returns the graph that is stored after the call.
   */
  putGraph(graph: StoredGraph, expiresAt: number): Promise<StoredGraph>;
  getGraph(stackId: string, traversalId: string): Promise<StoredGraph | null>;
  putGraphPart(key: GraphPartKey, part: GraphPart, expiresAt: number): Promise<void>;
  getGraphPart(key: GraphPartKey): Promise<GraphPart | null>;
}

export interface Resources {
  getResource(key: ResourceKey): Promise<Resource | null>;
  /** Every row, tombstones included, in one strongly consistent read. */
  listResources(stackId: string): Promise<readonly Resource[]>;
  /**
   * One page of the rows after `after`, in one strongly consistent read. A row that exists while
   * all pages are read is in exactly one of them.
   */
  listRows(stackId: string, after: string | null): Promise<RowPage>;
  /** Like `listRows` for the rows of one name. A page may be empty even if others follow. */
  listRowsNamed(stackId: string, name: string, after: string | null): Promise<RowPage>;
  listRowOutlines(stackId: string): Promise<readonly RowOutline[]>;
  getResources(stackId: string, ids: readonly string[]): Promise<readonly Resource[]>;
  /**
   * Must precede the first row of the stack with a spread id (lib/model/row-partitions.ts), because
   * only then the lists include such rows. `expiresAt` is when none of these rows matters any more,
   * or null while they may live. Idempotent.
   */
  spreadRows(stackId: string, expiresAt: number | null): Promise<void>;
  writeResource(key: ResourceKey, when: readonly RowClause[], change: RowChange): Promise<RowWrite>;
}

export interface SyncPoints {
  arrive(key: SyncPointKey, arrival: Arrival): Promise<ArrivalResult>;
  getSyncPoint(key: SyncPointKey): Promise<SyncPoint | null>;
  getSyncPoints(keys: readonly SyncPointKey[]): Promise<SyncPointsRead>;
  putInputData(
    key: SyncPointKey,
    predecessor: number,
    data: NodeData,
    expiresAt: number,
  ): Promise<void>;
  listInputData(key: SyncPointKey): Promise<Readonly<Record<string, NodeData>>>;
  deleteSyncPoints(keys: readonly DeletedSyncPoint[]): Promise<void>;
}

export interface DeletedSyncPoint extends SyncPointKey {
  /**
   * False promises that no input data is stored beside the point, so the store need not look for
   * any.
   */
  readonly hasDataBeside?: boolean;
}

export interface Events {
  putEvents(stackId: string, events: readonly StackEvent[]): Promise<readonly string[]>;
  listEvents(stackId: string, query: EventQuery): Promise<readonly OrderedEvent[]>;
  orderOfEvent(stackId: string, eventId: string): Promise<number | null>;
  /**
   * Makes all events of a stack expire at `expiresAt`, unless they expire earlier. The newest
   * `keep` remain, and so may some older ones that are stored with them. Idempotent, and not
   * atomic.
   */
  expireEvents(stackId: string, expiresAt: number, keep: number): Promise<void>;
  expireWritten(stackId: string, written: readonly string[], expiresAt: number): Promise<void>;
}

/** One record for the whole installation, from which the health route detects a dead sweeper. */
export interface Heartbeat {
  recordSweep(at: number): Promise<void>;
  lastSweepAt(): Promise<number | null>;
  putSweepCursor(cursor: StackKey | null): Promise<void>;
  sweepCursor(): Promise<StackKey | null>;
}

export interface Store
  extends Stacks,
    StackNames,
    Graphs,
    Resources,
    SyncPoints,
    Events,
    Heartbeat {}

export const SYNC_POINT_DELETE_KEYS_MAX = 25;
export const SYNC_POINT_READ_KEYS_MAX = 100;
/**
 * @limit stacks that a page of stacks by age reads at once
 * @beyond the next ones are read, until the page is full
 */
export const STACKS_READ_MAX = 100;
export const RESOURCES_READ_MAX = 100;

/** Some values are too large for the item of their record, so a store may keep them separately. */
export interface SpilledValues {
  removedItem(record: RemovalRecord): RemovedItem | null;
}

interface RemovalRecord {
  readonly Keys?: object | undefined;
  readonly OldImage?: object | undefined;
}

export interface RemovedItem {
  exists(): Promise<boolean>;
  listValues(): Promise<readonly string[]>;
  deleteValue(value: string): Promise<void>;
}

export const SPILLED_VALUES_MAX = 1_000;

export const NO_SPILLED_VALUES: SpilledValues = { removedItem: () => null };
