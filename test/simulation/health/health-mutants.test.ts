import { afterAll, describe, expect, it } from "vitest";
import { hunters } from "../mutants/hunters.ts";
import { openWorkshop } from "../mutants/workshop.ts";
import { HEALTH_MUTANTS } from "./health-mutants.ts";

const HUNT_MS_MAX = 180_000;

describe("P27: the search finds a broken line of the table", async () => {
  const workshop = await openWorkshop(HEALTH_MUTANTS, "test/simulation/health/hunt.ts");
  const all = hunters();
  afterAll(async () => {
    await all.close();
    await workshop.close();
  });

  it.each(HEALTH_MUTANTS)(
    "$name",
    async (mutant) => {
      const bundle = await workshop.build(mutant);
      const found = await all.hunt({ bundle, rule: mutant.rule, seeds: 0, former: null });
      console.log(`${mutant.name}: ${found}`);
      expect(found).not.toBeNull();
    },
    HUNT_MS_MAX,
  );
});
