import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Pattern } from "#lib/pattern/pattern.ts";
import { allMatchesOf, allStepwiseMatchesOf, matchOf, stepwiseMatchOf } from "./matching.ts";

const spans = z.array(z.tuple([z.int(), z.int()]));
const pair = { pattern: z.string(), value: z.string() };
const refusal = z.strictObject({ ...pair, error: z.string() });
const answer = z.strictObject({ ...pair, match: spans.nullable(), all: z.array(spans) });

/** Python 3.11's answers to random patterns and values. python-answers.py makes the file. */
const RECORDED = z
  .array(z.union([refusal, answer]))
  .parse(JSON.parse(readFileSync(new URL("python-answers.json", import.meta.url), "utf8")));

const REFUSALS = RECORDED.filter((one) => "error" in one);
const ANSWERS = RECORDED.filter((one) => "match" in one);

describe("Python's recorded answers", () => {
  it("are enough", () => {
    const matching = ANSWERS.filter(({ match, all }) => match !== null && all.length > 1);
    expect([REFUSALS.length > 100, ANSWERS.length > 300, matching.length > 100]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it.each(REFUSALS)("the pattern $pattern is refused", ({ pattern, error }) => {
    expect(() => new Pattern(pattern)).toThrow(expect.objectContaining({ message: error }));
  });

  it.each(ANSWERS)("$pattern against $value", ({ pattern, value, match, all }) => {
    expect(matchOf(pattern, value)).toBe(match?.[0]?.[1] ?? null);
    expect(allMatchesOf(pattern, value)).toEqual(all);
    expect(stepwiseMatchOf(pattern, value)).toEqual(match);
    expect(allStepwiseMatchesOf(pattern, value)).toEqual(all);
  });
});
