import type { Rig } from "#test/agents/rig.ts";
import type { StackRef } from "#test/aws/lane.ts";

export interface Caused {
  readonly stack: StackRef;
  readonly at: number;
}

export interface Case {
  readonly fault: string;
  readonly stage: 1 | 2 | 3 | 4 | 5 | 6 | null;
  /** Another stage that is correct for a moment before. */
  readonly before?: number;
  readonly cause: string;
  readonly certain: boolean;
  readonly summary: RegExp;
  readonly secondsMax: number;
  bring(rig: Rig): Promise<Caused>;
}
