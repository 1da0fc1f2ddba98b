/**
 * Events, and the changes of rows and stacks from which they are derived. An image of a change has
 * only the fields that events need. Sealed fields never leave their record.
 */
import type { Status } from "./action.ts";
import type { Resource } from "./resource.ts";
import type { Stack } from "./stack.ts";

/** The change of a record that made an event. It orders events without a clock. */
interface EventChange {
  readonly recordId: string;
  readonly version: number;
  readonly traversalNumber: number;
}

export interface StackEvent {
  /** Made of the row's id and version, so that a change that is delivered twice makes one event. */
  readonly id: string;
  readonly tenant: string;
  readonly stackId: string;
  readonly time: number;
  readonly resourceName: string;
  readonly resourceType: string;
  readonly physicalResourceId: string;
  readonly resourceId?: string;
  readonly resourceAction: string;
  readonly resourceStatus: Status;
  readonly reason: string;
  readonly actor?: string;
  readonly change: EventChange;
  readonly generation?: number;
}

/** A stored event with its position. In all stacks, a cause has a lower one than its effects. */
export interface OrderedEvent extends StackEvent {
  readonly order: number;
}

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

/** As the change feed gives it. */
export type Change = ChangedResource | ChangedStack;

/** `sequence` grows with every change of one store. */
export type SequencedChange = { readonly sequence: number } & Change;

const MINUTE_MS = 60_000;

/** DynamoDB's feed rounds times down to seconds, and LocalStack's newer one to minutes. */
const FEED_ROUNDING_MS_MAX = MINUTE_MS;
const CLOCK_ERROR_MS_MAX = MINUTE_MS;
/** An effect may seem this much earlier than its cause. */
export const INVERSION_MS_MAX = 2 * (FEED_ROUNDING_MS_MAX + CLOCK_ERROR_MS_MAX);

/**
 * When a change was made. The worker's own time is exact, and counts unless the feed's time
 * contradicts it.
 */
export const timeOfChange = (fedAt: number, writtenAt: number | null): number => {
  if (writtenAt === null) return fedAt;
  const isPlausible =
    writtenAt >= fedAt - CLOCK_ERROR_MS_MAX &&
    writtenAt < fedAt + FEED_ROUNDING_MS_MAX + CLOCK_ERROR_MS_MAX;
  return isPlausible ? writtenAt : fedAt;
};
