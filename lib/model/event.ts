/** The record of an event. It is derived from a change of a row or of a stack. */
import type { Status } from "./action.ts";

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
}
