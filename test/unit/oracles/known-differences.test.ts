import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { judge, type Rule, readRules, repeatedCases } from "#test/oracles/known-differences.ts";

const PAGE = new URL("../../../docs/compatibility.md", import.meta.url);
const HEADING = "## Known differences from Heat";

const rowOf = ({ id, what, reason, cases }: Rule): string =>
  `| ${id} | ${what} | ${reason} | ${cases.length} |`;

const rule: Rule = { id: "no-clouds", what: "Servers", reason: "None.", cases: ["a", "b"] };
const difference = { cause: "text", text: "another text", accepts: false };
const played = (id: string, differs: boolean, accepts = false) => ({
  id,
  difference: differs ? { ...difference, accepts } : null,
});

describe("the known differences from Heat", () => {
  it("are those of the table in the documents", () => {
    const [, section = ""] = readFileSync(PAGE, "utf8").split(HEADING);
    const rows = section.split("\n").filter((line) => /^\| [a-z-]+ \| .* \| \d+ \|$/.test(line));
    expect(rows).toEqual(readRules().map(rowOf));
  });

  it("name no case twice", () => {
    expect(repeatedCases(readRules())).toEqual([]);
    expect(repeatedCases([rule, { ...rule, id: "others" }])).toEqual(["a", "b"]);
  });

  it("explain the cases that they name, by their rule", () => {
    const judged = judge([rule], [played("a", true), played("b", true), played("c", false)], true);
    expect(judged).toMatchObject({ equal: 1, unexplained: [], stale: [] });
    expect([...judged.known]).toEqual([["no-clouds", 2]]);
  });

  it("explain no other case", () => {
    const { unexplained } = judge([rule], [played("c", true)], false);
    expect(unexplained).toEqual([{ cause: "text", text: "c: another text" }]);
  });

  it("go stale if their case gives Heat's answer", () => {
    const { stale } = judge([rule], [played("a", false), played("b", true)], true);
    expect(stale).toEqual(["a no longer differs: remove it from no-clouds"]);
  });

  it("go stale without their case, if all cases were played", () => {
    expect(judge([rule], [played("a", true)], true).stale).toEqual([
      "b is no case: remove it from no-clouds",
    ]);
    expect(judge([rule], [played("a", true)], false).stale).toEqual([]);
  });

  it("let Hearth accept what Heat refuses only if the rule says so", () => {
    const accepting = [played("a", true, true)];
    expect(judge([rule], accepting, false).unexplained).toEqual([
      {
        cause: "accepted under no-clouds",
        text: "a: Heat refuses this, and no-clouds does not allow to accept it",
      },
    ]);
    expect(judge([{ ...rule, accepts: true }], accepting, false).unexplained).toEqual([]);
  });
});
