/**
 * The store of the convergence protocol. Every method is ONE atomic operation of the real service:
 * one conditional write on one item, or one strongly consistent read. So a worker can die or lose a
 * race at every await in the core, and nowhere else. Long lists are the exception. So are
 * `deleteSyncPoints`, `expireEvents` and `expireWritten`, which write several items. All can be
 * repeated.
 */
import type { OrderedEvent, StackEvent } from "#lib/model/event.ts";
import type { GraphPart, GraphPartKey, NodeData, StoredGraph } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { SyncPoint, SyncPointKey } from "#lib/model/sync-point.ts";
import type { RowClause, StackClause } from "./conditions.ts";

export interface ResourceKey {
  readonly stackId: string;
  readonly id: string;
}

/** Without `version`: the store raises it by one with every accepted write. */
export type ResourceFields = Omit<Resource, "stackId" | "id" | "version">;

export interface RowChange {
  readonly set: Partial<ResourceFields>;
  /** The whole row to insert if there is none. Without it an absent row refuses the write. */
  readonly insert?: Omit<Resource, "version">;
  /** Raise `signals` by one in the same write. */
  readonly addSignal?: boolean;
}

export type RowWrite =
  | { readonly written: true; readonly row: Resource }
  /** `row` is the stored row at the time of the refusal. */
  | { readonly written: false; readonly row: Resource | null };

export type StackChange = Partial<Omit<Stack, "tenant" | "id" | "name" | "statusVersion">>;

export type StackWrite =
  | { readonly written: true; readonly stack: Stack }
  | { readonly written: false; readonly stack: Stack | null };

export interface Arrival {
  readonly stackId: string;
  /** Position among the waiting node's predecessors (or of the reporting bucket). */
  readonly predecessor: number;
  readonly at: number;
  readonly fanIn: number;
  /** Stored in the same write. Null: there is none, or it lies beside the point (wide nodes). */
  readonly data: NodeData | null;
  readonly expiresAt: number;
}

export interface ArrivalResult {
  /** False: this predecessor had arrived before, so nothing was written. */
  readonly accepted: boolean;
  /** The state after the write, or at the time of the refusal. */
  readonly syncPoint: SyncPoint;
}

/** A busy service may leave some keys of a batch unread. */
export interface SyncPointsRead {
  /** The points that exist, in any order. */
  readonly points: readonly SyncPoint[];
  readonly unread: readonly SyncPointKey[];
}

export interface StackKey {
  readonly tenant: string;
  readonly id: string;
}

export interface UnsettledPage {
  readonly stacks: readonly StackKey[];
  /** Where the next page begins. Null: this is the last page. */
  readonly next: StackKey | null;
}

/** A name stands for this stack. */
export interface NamedStack {
  readonly id: string;
  /** When the stack was created. Null: the store tells it with the stack only, or there is none. */
  readonly createdAt: number | null;
}

/** Enough to tell which row represents a name, and which rows are nested stacks. */
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
  /** Behind which the next page begins, in the store's own words. Null: this is the last page. */
  readonly next: string | null;
}

export interface EventQuery {
  /** Exclusive. As in Heat, an unknown marker is ignored. */
  readonly marker?: string;
  /** Inclusive: the first position, in the direction of the list. */
  readonly from?: number;
  readonly limit?: number;
  readonly descending?: boolean;
  readonly resourceName?: string;
}

export interface Stacks {
  /** Put if absent. */
  createStack(stack: Stack): Promise<"created" | "exists">;
  getStack(tenant: string, id: string): Promise<Stack | null>;
  /**
   * The stacks with these ids that exist, in no order. At most STACKS_READ_MAX ids. Each stack is
   * read strongly consistently, but not all at one moment.
   */
  getStacks(tenant: string, ids: readonly string[]): Promise<readonly Stack[]>;
  /** All stacks of a tenant, newest first, including the deleted ones. */
  listStacks(tenant: string): Promise<readonly Stack[]>;
  /** At most `limit` stacks of a tenant, deleted ones too, by id. `marker` is exclusive. */
  listStacksById(tenant: string, marker: string | null, limit: number): Promise<readonly Stack[]>;
  /**
   * At most `limit` of the stacks with `settled` false, behind `after`, for the sweeper. The order
   * is the store's own. The list may miss the last writes. A stack that goes while the pages are
   * read does not hide others.
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
  /** Put if absent. Returns the id that the name stands for after the call. */
  putStackName(tenant: string, name: string, stack: NamedStack): Promise<string>;
  getStackName(tenant: string, name: string): Promise<string | null>;
  /** Conditional on the old id. */
  takeOverStackName(
    tenant: string,
    name: string,
    oldId: string,
    stack: NamedStack,
  ): Promise<boolean>;
  /** What a tenant's names stand for, in no order. One strongly consistent read of no stack. */
  listNamedStacks(tenant: string): Promise<readonly NamedStack[]>;
  /** Deletes the name if it stands for this stack. */
  deleteStackName(tenant: string, name: string, stackId: string): Promise<void>;
}

export interface Graphs {
  /** Put if absent. Returns the graph that is stored after the call. Its parts come before it. */
  putGraph(graph: StoredGraph, expiresAt: number): Promise<StoredGraph>;
  getGraph(stackId: string, traversalId: string): Promise<StoredGraph | null>;
  /** Put if absent. Parts of one key are equal. */
  putGraphPart(key: GraphPartKey, part: GraphPart, expiresAt: number): Promise<void>;
  getGraphPart(key: GraphPartKey): Promise<GraphPart | null>;
}

export interface Resources {
  getResource(key: ResourceKey): Promise<Resource | null>;
  /** Every row, tombstones included, in one strongly consistent read. */
  listResources(stackId: string): Promise<readonly Resource[]>;
  /**
   * One page of these rows, behind `after`, in one strongly consistent read. A row that is there
   * while all pages are read is in just one of them.
   */
  listRows(stackId: string, after: string | null): Promise<RowPage>;
  /**
   * The same of the rows of one name only. A page may be empty though others follow. A store need
   * not read the other rows whole.
   */
  listRowsNamed(stackId: string, name: string, after: string | null): Promise<RowPage>;
  /** All rows without what is long in them, in the order of `listResources`. */
  listRowOutlines(stackId: string): Promise<readonly RowOutline[]>;
  /**
   * The rows with these ids that exist, in no order. At most RESOURCES_READ_MAX ids. Each row is
   * read strongly consistently, but not all at one moment.
   */
  getResources(stackId: string, ids: readonly string[]): Promise<readonly Resource[]>;
  /**
   * Comes before the first row of the stack with a spread id (lib/model/row-partitions.ts). From
   * now on the lists above have such rows. `expiresAt` is when none of them matters any more.
   * Null: they may live. Idempotent.
   */
  spreadRows(stackId: string, expiresAt: number | null): Promise<void>;
  writeResource(key: ResourceKey, when: readonly RowClause[], change: RowChange): Promise<RowWrite>;
}

export interface SyncPoints {
  /** If the predecessor has not arrived yet, adds it to the arrived set and raises `version`. */
  arrive(key: SyncPointKey, arrival: Arrival): Promise<ArrivalResult>;
  getSyncPoint(key: SyncPointKey): Promise<SyncPoint | null>;
  /** Reads at most SYNC_POINT_READ_KEYS_MAX different keys, each strongly consistent. */
  getSyncPoints(keys: readonly SyncPointKey[]): Promise<SyncPointsRead>;
  /**
   * Input data of a wide node, stored beside its point. Writing the same data again is harmless.
   */
  putInputData(
    key: SyncPointKey,
    predecessor: number,
    data: NodeData,
    expiresAt: number,
  ): Promise<void>;
  listInputData(key: SyncPointKey): Promise<Readonly<Record<string, NodeData>>>;
  /**
   * Deletes at most SYNC_POINT_DELETE_KEYS_MAX points and the input data beside them. Idempotent.
   */
  deleteSyncPoints(keys: readonly DeletedSyncPoint[]): Promise<void>;
}

export interface DeletedSyncPoint extends SyncPointKey {
  /** False: no input data lies beside it, and a store need not look. Absent: some may. */
  readonly hasDataBeside?: boolean;
}

export interface Events {
  /**
   * Puts several events of one stack in one write, each if its id is absent. Returns what
   * `expireWritten` knows them by.
   */
  putEvents(stackId: string, events: readonly StackEvent[]): Promise<readonly string[]>;
  listEvents(stackId: string, query: EventQuery): Promise<readonly OrderedEvent[]>;
  /** The position of an event of the stack. Null: the stack has no such event. */
  orderOfEvent(stackId: string, eventId: string): Promise<number | null>;
  /**
   * Lets the events of a stack expire at this moment, unless they expire earlier. The newest `keep`
   * stay, and so may some older ones that are stored with them. Idempotent, and not atomic.
   */
  expireEvents(stackId: string, expiresAt: number, keep: number): Promise<void>;
  /**
   * Lets what one call has put expire at this moment, unless it expires earlier. It reads no other
   * event. Idempotent, and not atomic.
   */
  expireWritten(stackId: string, written: readonly string[], expiresAt: number): Promise<void>;
}

/** One record for the whole installation, so that the health route can show a dead sweeper. */
export interface Heartbeat {
  /** Records when the sweeper's last run ended. */
  recordSweep(at: number): Promise<void>;
  /** Null until the first run has ended. */
  lastSweepAt(): Promise<number | null>;
  /** The stack behind which the sweeper goes on. Null: it starts with the first one. */
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
