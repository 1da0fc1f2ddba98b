import { describe, expect, it } from "vitest";
import { GROUPS } from "./groups.ts";
import { PLANTED_FAULTS, searchPlanted } from "./planted-faults.ts";
import { Search } from "./search.ts";

/** The configurations below are smaller, so each search ends by itself. */
const STATES_MAX = 60_000;

describe("the exhaustive search of groups and scaling", () => {
  it.each([
    "group, create; 1 at work, crash 1",
    "group, one more; 1 at work, crash 1",
    "group, one less; 2 at work",
    "group of one, roll; 1 at work, crash 1",
    "group of one, roll overtaken by delete; 1 at work",
    "group of two, roll; 1 at work, duplicate 1",
    "scaling group, signal; 2 at work",
    "scaling group, two signals; 1 at work",
    "scaling group, signal in a cooldown and after it; 1 at work",
    "scaling group, signal and suspend; 1 at work",
    "scaling group of one, roll; 1 at work, crash 1",
    "scaling group of two, roll; 1 at work",
    "scaling group of one, roll overtaken by rollback; 1 at work",
  ])("%s: every state is visited, and each is sound", async (title) => {
    const [config] = GROUPS.filter((one) => one.title === title);
    expect(config).toBeDefined();
    if (config === undefined) return;
    const { violation, isComplete, ends } = await (await Search.of(config)).run({
      statesMax: STATES_MAX,
    });
    expect(violation).toBeNull();
    expect(isComplete).toBe(true);
    expect(ends).toBeGreaterThan(1);
  });

  it("finds planted faults", { timeout: 60_000 }, async () => {
    const quick = [
      "a group is scaled while it is scaled",
      "a signal ignores the cooldown",
      "a roll ends with its surplus",
      "a group is polled by its handle",
      "members that are not there count as serving",
    ];
    const planted = PLANTED_FAULTS.filter(({ mutant }) => quick.includes(mutant));
    expect(planted).toHaveLength(quick.length);
    await searchPlanted(planted, STATES_MAX, ({ mutant }, { violation }) => {
      expect(violation, mutant).not.toBeNull();
    });
  });
});
