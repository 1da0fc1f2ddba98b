import { describe, expect, it } from "vitest";
import { PatternLimitError, StepBudget } from "#lib/pattern/machine.ts";
import { Pattern, Search } from "#lib/pattern/pattern.ts";

const LONG = "a".repeat(100_000);

const matches = (pattern: string, text: string, budget = new StepBudget()): number | null =>
  new Search(new Pattern(pattern), text, budget).matchAtStart();

describe("the limit of steps", () => {
  it.each([
    ["(a|a)*\\1b", LONG],
    ["(?=(a+)+$)", `${LONG}!`],
    ["(?=(a|a)*b)", LONG],
    ["(a*)*$", `${LONG}!`],
    ["(a+)+$", `${LONG}!\n`],
    ["(.*)\\1x", LONG],
    ["(?:a(?!(a*)*b))*b", LONG],
    ["(?:(?>a|a)+)*b", LONG],
    ["((a{1,500}){1,500}){1,500}(?=b)", LONG],
    ["(?:){4294967294}(?=a)", ""],
  ])("ends %j", (pattern, text) => {
    expect(() => matches(pattern, text)).toThrow(PatternLimitError);
  });

  it.each<[string, string, number | null]>([
    ["(a+)+$", `${LONG}!`, null],
    ["^(?=.*[A-Z])(?=.*\\d)(?!.*\\s).{4,}$", `${LONG}A1`, LONG.length + 2],
    ["(?=.*?b)", LONG, null],
    ["(?:a(?=a))*", LONG, LONG.length - 1],
    ["(?:.(?<=a))*", LONG, LONG.length],
    [`${"(".repeat(399)}(?=a)a${")".repeat(399)}`, "a", 1],
  ])("is enough for %j", (pattern, text, end) => {
    expect(matches(pattern, text)).toBe(end);
  });

  it("is shared by the searches of one budget", () => {
    const budget = new StepBudget();
    const searchMany = (): void => {
      for (let times = 0; times < 10; times += 1) matches("(?:(?=a)a)*", LONG, budget);
    };
    expect(searchMany).toThrow(PatternLimitError);
    expect(matches("(?:(?=a)a)*", LONG)).toBe(LONG.length);
  });

  it("is not spent on RE2 where that would take too long", () => {
    expect(matches("abcdefgh", "x".repeat(4_000_000))).toBeNull();
  });

  it("holds for RE2 too", () => {
    const budget = new StepBudget();
    const searchMany = (): void => {
      for (let times = 0; times < 50; times += 1) matches("(a+)+$", `${LONG}!`, budget);
    };
    expect(searchMany).toThrow(PatternLimitError);
  });
});
