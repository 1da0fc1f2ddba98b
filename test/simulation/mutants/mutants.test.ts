import { afterAll, describe, expect, it } from "vitest";
import { ALL_MUTANTS, MutantTrials } from "./mutants.ts";

/** Only random runs find four of the mutants, the rarest at seed 285. */
const SEEDS = 1_500;

describe("the simulation finds a broken rule of the protocol", () => {
  const trials = new MutantTrials();
  afterAll(() => trials.close());

  for (const mutant of ALL_MUTANTS) {
    it.concurrent(`${mutant.rule}: ${mutant.name}`, async () => {
      expect((await trials.run(mutant, SEEDS)).caughtBy).not.toBeNull();
    });
  }
});
