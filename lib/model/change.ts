/**
 * A change of a row or a stack, as the change feed gives it. Events are derived from it, and an
 * image has only the fields that they need. Sealed fields never leave their record.
 */
import type { Resource } from "./resource.ts";
import type { Stack } from "./stack.ts";

export type ResourceImage = Pick<
  Resource,
  | "tenant"
  | "stackId"
  | "id"
  | "name"
  | "type"
  | "version"
  | "number"
  | "generation"
  | "action"
  | "status"
  | "statusReason"
  | "physicalResourceId"
  | "signalReason"
  | "signalId"
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
  | "actor"
  | "statusVersion"
  | "traversalId"
  | "traversalNumber"
  | "updatedAt"
  | "createdAt"
  | "endedAt"
>;

export interface ChangedResource {
  readonly table: "resources";
  readonly oldImage: ResourceImage | null;
  readonly newImage: ResourceImage;
}

export interface ChangedStack {
  readonly table: "stacks";
  readonly oldImage: StackImage | null;
  readonly newImage: StackImage;
}

export type Change = ChangedResource | ChangedStack;

/** `sequence` grows with every change of one store. */
export type SequencedChange = { readonly sequence: number } & Change;
