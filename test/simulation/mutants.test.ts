import { describe, expect, it } from "vitest";
import { ALL_MUTANTS, tryMutant } from "./mutants.ts";

/** The rarest of those that only random runs find is found at seed 3,457. */
const SEEDS = 4_000;

describe("a rule of the protocol that is broken is found", () => {
  for (const mutant of ALL_MUTANTS) {
    it.concurrent(`${mutant.rule}: ${mutant.name}`, async () => {
      expect((await tryMutant(mutant, SEEDS)).caughtBy).not.toBeNull();
    });
  }
});
