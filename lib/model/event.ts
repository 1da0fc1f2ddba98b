/** The record of an event. It is derived from a change of a row or of a stack. */
import type { Status } from "./action.ts";

/** The change of a record that made an event. It orders events without a clock. */
export interface EventChange {
  /** The id of the row or the stack. */
  readonly recordId: string;
  /** The row's version or the stack's status version after the change. */
  readonly version: number;
  /** The number of the newest traversal that the record knew. */
  readonly traversalNumber: number;
}

export interface StackEvent {
  /** Row id and version, so that a change that is delivered twice makes one event. */
  readonly id: string;
  readonly tenant: string;
  readonly stackId: string;
  readonly time: number;
  readonly resourceName: string;
  readonly resourceType: string;
  readonly physicalResourceId: string;
  /** The row, if it has no physical id: then the physical name is derived from it. */
  readonly resourceId?: string;
  readonly resourceAction: string;
  readonly resourceStatus: Status;
  readonly reason: string;
  /** Who has asked for the operation that begins with this event (Stack.actor). */
  readonly actor?: string;
  readonly change: EventChange;
  /** Of the row's last operation. Absent: of a stack, or written by an older version. */
  readonly generation?: number;
}

/** A stored event with its position: a cause has a lower one than its effects, in all stacks. */
export interface OrderedEvent extends StackEvent {
  readonly order: number;
}
