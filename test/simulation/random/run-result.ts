/** What a random run is asked for, and what it tells. */
import { Violation } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import { partialGroupTraversals } from "./partial-traversals.ts";

export interface RunOptions {
  /** Stacks nest, and users act on nested stacks directly. */
  readonly nested?: boolean;
}

export interface RunResult {
  readonly seed: number;
  readonly failure: string | null;
  readonly story: readonly string[];
  readonly steps: number;
  readonly partialGroups: number;
}

export const resultOf = (
  world: World,
  told: Pick<RunResult, "seed" | "failure" | "steps">,
): RunResult => ({
  ...told,
  story: world.story,
  partialGroups: partialGroupTraversals(world),
});

/** What is no violation is a fault of the code, so its stack is told. */
export const failureOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const text = `${error.name}: ${error.message}`;
  return error instanceof Violation ? text : `${text}\n${error.stack}`;
};
