import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Act, live, NAMES } from "./lifecycle-world.ts";

/** Every run plays the same lives. Another seed plays others. */
const SEED = Number(process.env["LIFECYCLE_SEED"] ?? 1);
const LIVES = 60;
const ACTS_MAX = 40;

const name = fc.constantFrom(...NAMES);
const which = fc.nat(7);
const word = fc.constantFrom(
  "complete" as const,
  "failed" as const,
  "long" as const,
  "progress" as const,
  "garbage" as const,
  "with the other's id" as const,
);

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ act: "poll" as const }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant("say" as const), run: which, word }) },
  { weight: 4, arbitrary: fc.constant({ act: "go on" as const }) },
  { weight: 4, arbitrary: fc.constant({ act: "step" as const }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("retry" as const), name }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("repeat" as const), sent: which }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("update" as const), name }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant("wait" as const), seconds: fc.nat(700) }),
  },
  { weight: 1, arbitrary: fc.constant({ act: "wait" as const, seconds: 3_600 }) },
  { weight: 1, arbitrary: fc.constantFrom<Act>({ act: "suspend" }, { act: "resume" }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant("set result" as const),
      name,
      status: fc.constantFrom("COMPLETE" as const, "FAILED" as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant("crash" as const), reports: fc.boolean() }),
  },
);

describe("the life of two deployments on one server", () => {
  it("keeps its invariants in any order of users' and agents' acts", async () => {
    const seen = { accepted: 0, ran: 0 };
    const life = fc.asyncProperty(
      fc.array(act, { minLength: 10, maxLength: ACTS_MAX }),
      async (acts) => {
        const { accepted, ran } = await live(acts);
        seen.accepted += accepted;
        seen.ran += ran;
      },
    );
    await fc.assert(life, { seed: SEED, numRuns: LIVES });
    // Without several runs and results in most lives, the test would prove nothing.
    expect(seen.ran).toBeGreaterThan(2 * LIVES);
    expect(seen.accepted).toBeGreaterThan(LIVES);
  });
});
