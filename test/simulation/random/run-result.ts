/** What a random run is asked for, and what it tells. */

export interface RunOptions {
  /** Stacks nest, and users act on nested stacks directly. */
  readonly nested?: boolean;
}

export interface RunResult {
  readonly seed: number;
  readonly failure: string | null;
  readonly story: readonly string[];
  readonly steps: number;
}
