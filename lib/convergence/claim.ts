/**
 * The claim (P3.2): one conditional write takes the lease, raises the row's number and records the
 * operation. The provider is called only afterwards, so a crash leaves no object that no row knows.
 * The condition "version as read" also excludes a row that is done, replaced or busy.
 */
import { assert } from "#lib/errors.ts";
import type { OperationAction } from "#lib/model/action.ts";
import type { Lease, Operation, Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { RowClause } from "#lib/ports/conditions.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceFields, RowWrite } from "#lib/ports/store.ts";
import { LEASE_MS, TOMBSTONE_MS } from "./limits.ts";
import type { Visit } from "./visit.ts";

export interface ClaimRequest {
  readonly action: OperationAction;
  readonly type: string;
  readonly templateId: string;
  readonly properties: string;
  readonly requires: readonly string[];
  readonly operationMsMax: number;
  readonly isStep?: boolean;
  readonly externalId?: string | null;
}

export const isHeld = (row: Pick<Resource, "lease">, now: number): boolean =>
  row.lease !== null && row.lease.expiresAt > now;

export const newLease = (ports: Ports): Lease => ({
  token: ports.ids.fresh(),
  expiresAt: ports.clock.now() + LEASE_MS,
});

export const newRow = (ports: Ports, visit: Visit, id: string): Omit<Resource, "version"> =>
  blankRow(ports, visit.stack, visit.index.graph.traversalNumber, id, visit.node.name);

/** Takes the place of a row that a visit of an older graph could still create (P2). */
export const tombstone = (
  ports: Ports,
  stack: Stack,
  id: string,
  name: string,
): Omit<Resource, "version"> => ({
  ...blankRow(ports, stack, stack.traversalNumber, id, name),
  action: "DELETE",
});

const blankRow = (
  ports: Ports,
  stack: Stack,
  number: number,
  id: string,
  name: string,
): Omit<Resource, "version"> => {
  const now = ports.clock.now();
  return {
    tenant: stack.tenant,
    stackId: stack.id,
    id,
    name,
    type: "",
    number,
    generation: 0,
    templateId: null,
    action: "INIT",
    status: "COMPLETE",
    statusReason: "",
    physicalResourceId: null,
    properties: null,
    reference: null,
    requires: [],
    replaces: null,
    replacedBy: null,
    updateDone: null,
    cleanupDone: null,
    failed: null,
    checkFailed: false,
    health: null,
    outcomeUnknown: false,
    externalId: null,
    operation: null,
    lease: null,
    pause: null,
    signals: 0,
    nextPollAt: null,
    waitUntil: null,
    signalReason: null,
    signalId: null,
    createdAt: now,
    updatedAt: now,
    expiresAt: now + TOMBSTONE_MS,
  };
};

export const asRead = (row: Pick<Resource, "version"> | null): RowClause =>
  row === null ? { clause: "absent" } : { clause: "versionIs", version: row.version };

/** The row is as read, no worker holds it, and no newer traversal has stamped it (S17). */
export const freeFor = (
  ports: Ports,
  { index }: Pick<Visit, "index">,
  row: Pick<Resource, "version"> | null,
): readonly RowClause[] => [
  asRead(row),
  { clause: "noLiveLease", now: ports.clock.now() },
  { clause: "numberAtMost", number: index.graph.traversalNumber },
];

export const claim = async (
  ports: Ports,
  visit: Visit,
  request: ClaimRequest,
): Promise<RowWrite> => {
  const { row, node, message, index } = visit;
  assert(row !== null || node.mints, `row ${message.resourceId} is minted by its traversal only`);
  const base = row ?? newRow(ports, visit, message.resourceId);
  const now = ports.clock.now();
  const operation: Operation = {
    traversalId: message.traversalId,
    isUpdate: message.isUpdate,
    action: request.action,
    // A restore brings back older rows, whose next generations may be used up: see lives (P14).
    generation: Math.max(base.generation, ports.life ?? 0) + 1,
    startedAt: now,
    deadline: Math.min(now + request.operationMsMax, visit.stack.deadline),
    handle: null,
    type: request.type,
    templateId: request.templateId,
    properties: request.properties,
    requires: request.requires,
    before: { action: base.action, status: base.status, statusReason: base.statusReason },
    ...(request.isStep ? { isStep: true as const } : {}),
  };
  const set = {
    lease: newLease(ports),
    number: index.graph.traversalNumber,
    generation: operation.generation,
    operation,
    type: request.type,
    ...(request.externalId === undefined ? {} : { externalId: request.externalId }),
    action: request.action,
    status: "IN_PROGRESS" as const,
    statusReason: "state changed",
    // Until the operation ends, the object may refer to old and new rows, so all must outlive it
    // (S8).
    requires: [...new Set([...base.requires, ...request.requires])],
    nextPollAt: null,
    waitUntil: null,
    updatedAt: now,
    expiresAt: null,
  };
  return ports.store.writeResource(
    { stackId: message.stackId, id: message.resourceId },
    freeFor(ports, visit, row),
    row === null ? { set, insert: { ...base, ...set } } : { set },
  );
};

/** The operation keeps its generation, so a repeated call has the same token. */
export const takeLease = (ports: Ports, row: Resource): Promise<RowWrite> => {
  const lease = newLease(ports);
  return ports.store.writeResource(
    { stackId: row.stackId, id: row.id },
    [asRead(row), { clause: "noLiveLease", now: ports.clock.now() }],
    { set: { lease, nextPollAt: row.operation?.handle == null ? null : lease.expiresAt } },
  );
};

/** Stores the handle and the id that this worker knows. Another worker may poll at once. */
export const releaseLease = (ports: Ports, row: Resource): Promise<RowWrite> =>
  ports.store.writeResource(
    { stackId: row.stackId, id: row.id },
    [{ clause: "leaseHeldBy", token: row.lease?.token ?? "" }],
    {
      set: {
        lease: null,
        nextPollAt: row.operation?.handle == null ? null : ports.clock.now(),
        operation: row.operation,
        physicalResourceId: row.physicalResourceId,
      },
    },
  );

/** Like a claim, a write without a call needs a free row without a newer stamp (S17). */
export const writeUnlocked = (
  ports: Ports,
  visit: Visit,
  set: Partial<ResourceFields>,
): Promise<RowWrite> => {
  const { row, message, index } = visit;
  const { traversalNumber } = index.graph;
  const fenced = { ...set, number: traversalNumber, waitUntil: null };
  return ports.store.writeResource(
    { stackId: message.stackId, id: message.resourceId },
    freeFor(ports, visit, row),
    row === null
      ? { set: fenced, insert: { ...newRow(ports, visit, message.resourceId), ...fenced } }
      : { set: fenced },
  );
};
