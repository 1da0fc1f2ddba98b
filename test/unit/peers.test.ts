/** The verdict of the lane that runs other projects' tests. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { judge, type Reason, readReasons } from "#test/peers/known-failures.ts";
import type { TestLine } from "#test/peers/play-module.ts";

const line = (id: string, outcome: TestLine["outcome"] = "failed"): TestLine => ({
  id: `suite.${id}`,
  outcome,
  text: "",
});
const REASONS: readonly Reason[] = [{ id: "no-cloud", why: "none", tests: ["net.", "volume."] }];
const noText = (): string => "";

describe("a run of others' tests", () => {
  it("tells failures that the file explains from all others", () => {
    const tests = [line("net.Port.a"), line("stack.b"), line("stack.c", "passed")];
    const { passed, known, unexplained } = judge(REASONS, tests, false, noText);
    expect(passed).toBe(1);
    expect([...known]).toEqual([["no-cloud", 1]]);
    expect(unexplained).toEqual([line("stack.b")]);
  });

  it("takes a failure as one of Heat's too only with its proof", () => {
    const why = "none";
    const reasons: readonly Reason[] = [
      { id: "no-cloud", why, heatFailsToo: { inModule: "OS::Nova::" }, tests: ["net."] },
      { id: "broken", why, heatFailsToo: { inFailure: "NoSuch" }, tests: ["wire."] },
      { id: "own", why, tests: ["own."] },
    ];
    const broken = { ...line("wire.a"), text: "NoSuchOptError" };
    const tests = [line("net.a"), line("net.b"), broken, line("wire.b"), line("own.a")];
    const textOf = (id: string) => (id === "suite.net.a" ? "type: OS::Nova::Server" : "");
    const { sharedWithHeat, unexplained, known } = judge(reasons, tests, false, textOf);
    expect([...known.values()]).toEqual([1, 1, 1]);
    expect(sharedWithHeat).toBe(2);
    expect(unexplained).toEqual([line("net.b"), line("wire.b")]);
  });

  it("says which entries no test needs any more", () => {
    const tests = [line("net.Port.a", "passed")];
    expect(judge(REASONS, tests, false, noText).stale).toEqual(["net."]);
    expect(judge(REASONS, tests, true, noText).stale).toEqual(["net.", "volume."]);
  });

  it("has its reasons in the documents", () => {
    const page = readFileSync(new URL("../../docs/compatibility.md", import.meta.url), "utf8");
    for (const { id, why } of readReasons()) expect(page).toContain(`| ${id} | ${why} |`);
  });

  it("has a reason for each test once", () => {
    const tests = readReasons().flatMap(({ tests: of }) => of);
    expect(new Set(tests).size).toBe(tests.length);
  });
});
