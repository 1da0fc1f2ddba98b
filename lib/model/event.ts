import type { Status } from "./action.ts";

/** The change of a record that made an event. It orders events without a clock. */
export interface EventChange {
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
