import { describe, expect, it } from "vitest";
import type { Json } from "#lib/json.ts";
import { failureOf, run, stepsAndValueOf } from "./evaluating.ts";

const noMatch = (name: string, receiver?: string): string =>
  receiver === undefined
    ? `No function "${name}" matches supplied arguments`
    : `No method "${name}" for receiver ${receiver} matches supplied arguments`;

/** Each answer is that of yaql 3.2. */
describe("a call of yaql", () => {
  it.each<[string, Json]>([
    ["range(1, stop => 3)", [1, 2]],
    ["range(stop => 1, start => 0)", [0]],
    ["range(1, stop => 5, stop => 6)", [1, 2, 3, 4, 5]],
    ["a.replace(old => a, new => b)", "b"],
    ["aXb.replace(old => X, count => 1, new => c)", "acb"],
    ["[1, 2].select(selector => $ + 1)", [2, 3]],
    ["[1, 2].aggregate(seed => 1, selector => $1 + $2)", 4],
    ["[1, 2].join([2], selector => $1, predicate => $1 = $2)", [2]],
    [
      "[1, 2, 3].groupBy(valueSelector => 1, keySelector => $ mod 2)",
      [
        [1, [1, 1]],
        [0, [1]],
      ],
    ],
    ["let(1, a => 2) -> [$1, $a]", [1, 2]],
    ["dict(items => [[a, 1]])", { items: [["a", 1]] }],
    ["dict(1 => 2)", { "1": 2 }],
    ["true = 1", true],
    ["isInteger(true)", false],
    ["'a' * 2", "aa"],
    ["2 * [1]", [1, 1]],
    ["[1, 2] + [3]", [1, 2, 3]],
    ["{a => 1} + {b => 2}", { a: 1, b: 2 }],
    ["set(1, 2) + set(2)", [1, 2]],
    ["set(1) + [2]", [1, 2]],
    ["[2] + set(1)", [2, 1]],
    ["set(1) > set(1)", false],
    ["null > null", false],
    ["str(true)", "true"],
    ["list(abc)", ["abc"]],
    ["list(1, [2], range(2))", [1, [2], 0, 1]],
    ["'a'.join([b, c])", "bac"],
    ["[b, c].join(a)", "bac"],
    ["{b => 2}[b, 5]", 2],
    ["[5, 6][true]", 6],
    ["def(len, 5) -> len(1)", 5],
  ])("%s gives %j", (expression, expected) => {
    expect(JSON.parse(JSON.stringify(run(expression)))).toEqual(expected);
  });

  it.each([
    ["[1, 2].join(b => 1)", noMatch("join", "(1, 2)")],
    ["len(sequence => abc)", noMatch("len")],
    ["abc.len(sequence => d)", noMatch("len", "abc")],
    ["aa.replace(a, old => b, new => c)", noMatch("replace", "aa")],
    ["a.split('-', 1, 2)", noMatch("split", "a")],
    ["concat('a', , 'c')", noMatch("concat")],
    ["concat(, 'a')", noMatch("concat")],
    ["[1].zip([3], default => 4)", noMatch("zip", "(1,)")],
    ["switch(1, true => 1)", noMatch("switch")],
    ["true + 1", noMatch("#operator_+")],
    ["true < 2", noMatch("#operator_<")],
    ["abs(true)", noMatch("abs")],
    ["abc.toList()", noMatch("toList", "abc")],
    ["abc[0]", noMatch("#indexer")],
    ["range(3)[1]", noMatch("#indexer")],
    ["{a => 1}.select($)", noMatch("select", "{'a': 1}")],
    ["concat()", 'Ambiguous function "concat"'],
    ["def(coalesce, 5) -> coalesce(1)", 'Ambiguous function "coalesce"'],
    ["def(dict, 5) -> dict(a => 1)", 'Ambiguous function "dict"'],
    ["def(switch, 5) -> switch(true => 1)", "Cannot convert mapping to keyword argument"],
    ["list(1 => 2)", "Cannot convert mapping to keyword argument"],
    ["def(f, $1) -> 5.f()", 'Unknown method "f" for receiver 5'],
    ["'{0}'.format(5)", 'No method "format" for receiver {0} matches supplied arguments'],
    ["format('{0}', 5)", 'Unknown function "format"'],
  ])("%s is refused: %s", (expression, message) => {
    expect(failureOf(expression)).toBe(message);
  });

  it("takes a step, and its result takes memory", () => {
    const steps = (expression: string): number => stepsAndValueOf(expression).steps;
    expect(steps("1.5 + 2.5 + 3.5") - steps("1.5 + 2.5")).toBe(steps("1.5 + 2.5") - steps("1.5"));
    expect(steps("1.5 + 2.5")).toBeGreaterThan(steps("1.5"));
    expect(failureOf("$.replace(a, bb)", "a".repeat(6_000))).toMatch(/memory/);
  });
});
