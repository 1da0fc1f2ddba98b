/**
 * The change feed of the local adapters, as DynamoDB Streams would give it (NEW_AND_OLD_IMAGES), cut
 * down to the fields that events are made of: the sealed ones never leave their row.
 */
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";

export type ResourceImage = Pick<
  Resource,
  | "tenant"
  | "stackId"
  | "id"
  | "name"
  | "type"
  | "version"
  | "action"
  | "status"
  | "statusReason"
  | "physicalResourceId"
  | "signalReason"
  | "updatedAt"
>;

export type StackImage = Pick<
  Stack,
  | "tenant"
  | "id"
  | "name"
  | "action"
  | "status"
  | "statusReason"
  | "statusVersion"
  | "traversalId"
  | "updatedAt"
  | "createdAt"
  | "endedAt"
>;

export interface ResourceChange {
  readonly table: "resources";
  readonly oldImage: ResourceImage | null;
  readonly newImage: ResourceImage;
}

export interface StackRowChange {
  readonly table: "stacks";
  readonly oldImage: StackImage | null;
  readonly newImage: StackImage;
}

/** `sequence` grows with every change of one store. */
export type Change = { readonly sequence: number } & (ResourceChange | StackRowChange);

const resourceImage = (row: Resource): ResourceImage => ({
  tenant: row.tenant,
  stackId: row.stackId,
  id: row.id,
  name: row.name,
  type: row.type,
  version: row.version,
  action: row.action,
  status: row.status,
  statusReason: row.statusReason,
  physicalResourceId: row.physicalResourceId,
  signalReason: row.signalReason,
  updatedAt: row.updatedAt,
});

const stackImage = (stack: Stack): StackImage => ({
  tenant: stack.tenant,
  id: stack.id,
  name: stack.name,
  action: stack.action,
  status: stack.status,
  statusReason: stack.statusReason,
  statusVersion: stack.statusVersion,
  traversalId: stack.traversalId,
  updatedAt: stack.updatedAt,
  createdAt: stack.createdAt,
  endedAt: stack.endedAt,
});

/** Null when only the version and the time differ: claims, stamps and polls are no news. */
export const resourceChange = (before: Resource | null, after: Resource): ResourceChange | null => {
  const news =
    before === null ||
    before.action !== after.action ||
    before.status !== after.status ||
    before.statusReason !== after.statusReason ||
    before.physicalResourceId !== after.physicalResourceId ||
    before.signalReason !== after.signalReason ||
    before.name !== after.name ||
    before.type !== after.type ||
    before.tenant !== after.tenant;
  if (!news) return null;
  return {
    table: "resources",
    oldImage: before && resourceImage(before),
    newImage: resourceImage(after),
  };
};

/** Null when only the version and the time differ. */
export const stackChange = (before: Stack | null, after: Stack): StackRowChange | null => {
  const news =
    before === null ||
    before.action !== after.action ||
    before.status !== after.status ||
    before.statusReason !== after.statusReason ||
    before.traversalId !== after.traversalId ||
    before.createdAt !== after.createdAt;
  if (!news) return null;
  return { table: "stacks", oldImage: before && stackImage(before), newImage: stackImage(after) };
};
