/** The record of an event, derived from a change of a row or of a stack. */
import type { Status } from "./action.ts";

export interface StackEvent {
  /** (row id, version): a change that is delivered twice makes one event. */
  readonly id: string;
  readonly tenant: string;
  readonly stackId: string;
  readonly time: number;
  readonly resourceName: string;
  readonly resourceType: string;
  readonly physicalResourceId: string;
  /** The row, where it has no physical id yet or any more: its physical name is made of it. */
  readonly resourceId?: string;
  readonly resourceAction: string;
  readonly resourceStatus: Status;
  readonly reason: string;
}
