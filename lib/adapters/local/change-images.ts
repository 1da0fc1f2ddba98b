/**
 * Makes the change feed of the local adapters from their writes. On AWS, the streams of the tables
 * do this (NEW_AND_OLD_IMAGES).
 */
import type { ChangedResource, ChangedStack, ResourceImage, StackImage } from "#lib/model/event.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";

const resourceImage = (row: Resource): ResourceImage => ({
  tenant: row.tenant,
  stackId: row.stackId,
  id: row.id,
  name: row.name,
  type: row.type,
  version: row.version,
  number: row.number,
  generation: row.generation,
  action: row.action,
  status: row.status,
  statusReason: row.statusReason,
  physicalResourceId: row.physicalResourceId,
  signalReason: row.signalReason,
  signalId: row.signalId,
  updatedAt: row.updatedAt,
});

const stackImage = (stack: Stack): StackImage => ({
  tenant: stack.tenant,
  id: stack.id,
  name: stack.name,
  action: stack.action,
  status: stack.status,
  statusReason: stack.statusReason,
  actor: stack.actor,
  statusVersion: stack.statusVersion,
  traversalId: stack.traversalId,
  traversalNumber: stack.traversalNumber,
  updatedAt: stack.updatedAt,
  createdAt: stack.createdAt,
  endedAt: stack.endedAt,
});

/** A restricted action is refused again, and the row's status and reason stay as they are. */
const isRefusedAgain = (before: Resource, { status, failed }: Resource): boolean =>
  status !== "FAILED" && failed !== null && failed.traversalId !== before.failed?.traversalId;

/**
 * @returns null when clients see no difference, as after claims, stamps and polls. Such a write
 * makes no event.
 */
export const resourceChange = (
  before: Resource | null,
  after: Resource,
): ChangedResource | null => {
  const isVisible =
    before === null ||
    before.action !== after.action ||
    before.status !== after.status ||
    before.statusReason !== after.statusReason ||
    before.physicalResourceId !== after.physicalResourceId ||
    before.signalReason !== after.signalReason ||
    before.signalId !== after.signalId ||
    before.name !== after.name ||
    before.type !== after.type ||
    before.tenant !== after.tenant ||
    isRefusedAgain(before, after);
  if (!isVisible) return null;
  return {
    table: "resources",
    oldImage: before && resourceImage(before),
    newImage: resourceImage(after),
  };
};

export const stackChange = (before: Stack | null, after: Stack): ChangedStack | null => {
  const isVisible =
    before === null ||
    before.action !== after.action ||
    before.status !== after.status ||
    before.statusReason !== after.statusReason ||
    before.traversalId !== after.traversalId ||
    before.createdAt !== after.createdAt;
  if (!isVisible) return null;
  return { table: "stacks", oldImage: before && stackImage(before), newImage: stackImage(after) };
};
