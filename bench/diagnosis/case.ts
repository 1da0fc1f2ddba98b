/** A fault that is really caused, and how its diagnosis must become true. */

import type { Rig } from "#test/agents/rig.ts";
import type { StackRef } from "#test/aws/lane.ts";

export interface Caused {
  readonly stack: StackRef;
  /** Unix time in ms at which the fault was there. */
  readonly at: number;
}

export interface Case {
  /** The fault, as the table names it. */
  readonly fault: string;
  /** What the verdict must be. Null: it is stuck in no stage. */
  readonly stage: 1 | 2 | 3 | 4 | 5 | 6 | null;
  /** Another stage that is true for a moment before. */
  readonly before?: number;
  readonly cause: string;
  readonly certain: boolean;
  readonly summary: RegExp;
  /** From the fault to this verdict. */
  readonly secondsMax: number;
  /** Returns once the fault is there. The deployment is the resource `run`. */
  bring(rig: Rig): Promise<Caused>;
}
