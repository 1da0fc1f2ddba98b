import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { ALL_MUTANTS, MutantTrials } from "./mutants.ts";

/** Only random runs find four of the mutants, the rarest at seed 397. */
const SEEDS = 1_500;
const UNCHANGED_SEEDS = 100;

const ROW = /^\| ([^|]+) \| [^|]+ \| (.+) \|$/gm;

const former = new Map(
  Array.from(
    readFileSync(new URL("mutants.md", import.meta.url), "utf8").matchAll(ROW),
    ([, name = "", caughtBy = ""]) => [name, caughtBy] as const,
  ),
);

describe("the simulation finds a broken rule of the protocol", () => {
  const trials = new MutantTrials();
  afterAll(() => trials.close());

  it("and nothing in the engine as it is, which is bundled in the same way", async () => {
    const unchanged = { name: "none", rule: "none", edits: [] };
    expect((await trials.run(unchanged, UNCHANGED_SEEDS)).caughtBy).toBeNull();
  });

  for (const mutant of ALL_MUTANTS) {
    it.concurrent(`${mutant.rule}: ${mutant.name}`, async () => {
      const { caughtBy } = await trials.run(mutant, SEEDS, former.get(mutant.name));
      expect(caughtBy).not.toBeNull();
    });
  }
});
