import type { PreviewCounts } from "../world/preview-check.ts";
import { Violation } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import { partialGroupTraversals } from "./partial-traversals.ts";

export interface RunOptions {
  readonly nested?: boolean;
  readonly previews?: boolean;
}

export interface RunResult {
  readonly seed: number;
  readonly failure: string | null;
  readonly story: readonly string[];
  readonly steps: number;
  readonly partialGroups: number;
  readonly previews: PreviewCounts | null;
}

export const resultOf = (
  world: World,
  told: Pick<RunResult, "seed" | "failure" | "steps">,
): RunResult => ({
  ...told,
  story: world.story,
  partialGroups: partialGroupTraversals(world),
  previews: world.previews?.counts ?? null,
});

/** An error that is not a violation is a fault of the code, so the result has its stack trace. */
export const failureOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const text = `${error.name}: ${error.message}`;
  return error instanceof Violation ? text : `${text}\n${error.stack}`;
};
