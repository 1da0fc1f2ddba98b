/** What one round of the sweeper costs on AWS is deterministic, so the tests assert ceilings. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import { runRound } from "../../tools/bench/sweep/round.ts";
import { type AwsTarget, openAwsTarget } from "./aws-emulators.ts";
import { limitMs } from "./limits.ts";

const START_MS_MAX = limitMs(120_000);
const RUN_MS_MAX = limitMs(120_000);
const STACKS = 100;
/** The requests for the cursor, and for the pages of the list. */
const ROUND_REQUESTS = 2;
/** The requests for the stack, its rows, its graph, and its SyncPoints in one batch. */
const STACK_REQUESTS = 4;
const SWEPT_PARALLEL = 25;

let target: AwsTarget | null = null;
beforeEach(async () => {
  target = await openAwsTarget();
}, START_MS_MAX);
afterEach(() => target?.close(), START_MS_MAX);

const place = (): AwsTarget => present(target, "a place to run in");

it(
  "P11: a round takes four requests a stack, and sweeps many stacks side by side",
  async () => {
    const stacks = { stacks: STACKS, chains: 1, second: "operating", waitedMs: 600_000 } as const;
    const cost = await runRound(place(), stacks);
    expect(cost.requests).toBe(ROUND_REQUESTS + STACK_REQUESTS * STACKS);
    const inARow = ROUND_REQUESTS + (STACK_REQUESTS * STACKS) / SWEPT_PARALLEL;
    expect(cost.inARow).toBeLessThanOrEqual(inARow);
    expect(cost.duplicates).toBe(0);
  },
  RUN_MS_MAX,
);

it(
  "P11, S21: a half-done stack of 600 takes a dozen requests and gets no duplicate",
  async () => {
    const half = { stacks: 1, chains: 200, second: "ready", waitedMs: 10_000 } as const;
    const cost = await runRound(place(), half);
    expect(cost.requests).toBeLessThanOrEqual(12);
    expect(cost.duplicates).toBe(0);
  },
  RUN_MS_MAX,
);

it(
  "P11: a stack without anything to sweep costs nothing",
  async () => {
    const none = { stacks: 0, chains: 1, second: "ready", waitedMs: 0 } as const;
    expect(await runRound(place(), none)).toMatchObject({ requests: 2, duplicates: 0 });
  },
  RUN_MS_MAX,
);
