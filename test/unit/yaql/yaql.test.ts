import { describe, expect, it } from "vitest";
import type { Json } from "#lib/json.ts";
import { failureOf, run } from "./evaluating.ts";

describe("an expression of yaql", () => {
  it.each<[string, Json]>([
    ["1 + 2 * 3", 7],
    ["int('\u3000\u0661_2\u0085')", 12],
    ["float('\uff11.5e1_0')", 15_000_000_000],
    ["'\u{1f600}' > '\ue000'", true],
    ["not 1 = 2 and true", true],
    ["-7 / 2", -4],
    ["-7 mod 3", 2],
    ["7.5 / 2", 3.75],
    ["round(2.5)", 2],
    ["2 in [1, 2]", true],
    ["$.a.b[0]", 5],
    ["$?.a.b", [5, 6]],
    ["{x => 1} + {y => 2}", { x: 1, y: 2 }],
    ["let(x => 3) -> $x * $x", 9],
    ["def(double, $ * 2) -> double(4)", 8],
    ["[3, 1, 2].orderByDescending($)", [3, 2, 1]],
    ["[1, 2, 3].where($ > 1).select($ * 10).sum()", 50],
    [
      "[[a, 1], [b, 2], [a, 3]].groupBy($[0], $[1]).select([$[0], $[1].sum()])",
      [
        ["a", 4],
        ["b", 2],
      ],
    ],
    ["[1, 2].join([2, 3], $1 = $2, [$1, $2])", [[2, 2]]],
    ["str([1, 'a', null, true])", "(1, 'a', None, True)"],
    ["'a b  c'.split()", ["a", "b", "c"]],
    ["'aXbX'.replace(X, '-', 1)", "a-bX"],
    ["regex('(\\\\d+)').replaceBy('a1b22', str(int($.value) + 1))", "a2b23"],
    ["regex('(a|b)\\\\1').searchAll('aabb')", ["aa", "bb"]],
    ["regex('a(?=b)').replace('abac', x)", "xbac"],
    ["regex('|a').searchAll('ab')", ["", "a", "", ""]],
    ["regex('x*').split('axb')", ["", "a", "", "b", ""]],
    ["regex('(?i)K(.)').search('ak\\U0001F600', $2.end)", 3],
    ["regex('^b', multiLine => true).search('a\\nb')", "b"],
    ["'ab' =~ '(?<!a)b'", false],
    ["'\\U0001F600a'.len()", 2],
    ["switch($.a.b.len() > 5 => many, true => few)", "few"],
  ])("%s", (expression, expected) => {
    const value = run(expression, { a: { b: [5, 6] } });
    expect(JSON.parse(JSON.stringify(value))).toEqual(expected);
  });

  it.each([
    ["1 +", "Parse error: unexpected end of statement"],
    ["1 2", "Parse error: unexpected '2' at position 2 of expression '1 2'"],
    ["a ; b", "Lexical error: illegal character ';' at position 2"],
    ["nosuch(1)", 'Unknown function "nosuch"'],
    ["1 + a", 'No function "#operator_+" matches supplied arguments'],
    ["[1][3]", "tuple index out of range"],
    ["1 / 0", "integer division or modulo by zero"],
    ["a =~ '('", "missing ), unterminated subpattern at position 0"],
    ["regex('(?a)b')", "ASCII and UNICODE flags are incompatible"],
    [
      "now()",
      "The function \"now\" of yaql is not supported yet at position 0 of expression 'now()'",
    ],
  ])("%s: %s", (expression, message) => {
    expect(failureOf(expression)).toBe(message);
  });

  it.each([
    "range(100000000).len()",
    "sequence().where($ < 0).first()",
    "range(30).aggregate([$1, $1, $1, $1, $1], 0)",
    "str(range(30).aggregate([$1, $1, $1, $1, $1], 0))",
    "range(30).aggregate([$1, $1, $1], 0) = range(30).aggregate([$1, $1, $1], 0)",
    "def(f, f($)) -> f(1)",
    "shiftBitsLeft(1, 100000000)",
    "generateMany(1, sequence())",
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' =~ '(?=(a+)+$)b|(a|a)*c'",
    `range(100).select("${"a".repeat(200)}" =~ "(?=(a*)*$)(a*a*a*)b")`,
    `${"(".repeat(10_000)}1`,
  ])("%s ends soon", (expression) => {
    expect(failureOf(expression)).toMatch(/steps|exceed|memory|deep/);
  });
});

describe("the keys of a result", () => {
  it("may be numbers and truth values, which become texts of JSON", () => {
    expect(run("{1 => a, true => b, 1.5 => c, null => d}")).toEqual({
      "1": "b",
      "1.5": "c",
      null: "d",
    });
  });

  it.each([
    ["{[1, 2] => 3}", "list"],
    ["{{a => 1} => 3}", "dict"],
    ["{set(1) => 3}", "set"],
  ])("are no lists, maps or sets: %s", (expression, type) => {
    expect(failureOf(expression)).toBe(`unhashable type: '${type}'`);
  });
});

describe("what generated questions have found", () => {
  it.each<[string, Json]>([
    ["round(-0.0) = 0", true],
    ["str(round(0.0 * -1))", "-0.0"],
    ["pow(4, -1, 7)", 2],
    ["pow(4, -2, -7)", -3],
    ["pow(0, -1, 1)", 0],
    ["[].join(set([1], [a]).orderBy($), true, $1)", []],
    ["str({a => 1}.items())", "ItemsView({'a': 1})"],
    ["str({a => 1}.keys())", "KeysView({'a': 1})"],
    ["str([[a, 1]].toDict($[0], $[1]).values())", "dict_values([1])"],
    ["{a => 1}.items().contains([a, 1]) and [b, 1] in {b => 1.0}.items()", true],
    ["ab in {a => 1}.items() or [a, 2] in {a => 1}.items() or [b, 1] in {a => 1}.items()", false],
    ["set(1, 2) <= {a => 1}.items() or set(1) < {a => 1}.items()", false],
    ["set([a, 1]) <= {a => 1}.items()", true],
  ])("%s", (expression, expected) => {
    expect(run(expression)).toEqual(expected);
  });

  it.each([
    ["null in {a => 1}.items()", "cannot unpack non-iterable NoneType object"],
    ["{a => 1}.items().contains(a)", "not enough values to unpack (expected 2, got 1)"],
    ["{a => 1}.items().contains([a, 1, 2])", "too many values to unpack (expected 2)"],
    ["set(1) <= {a => 1}.items()", "cannot unpack non-iterable int object"],
  ])("looks for pairs alone among items: %s", (expression, message) => {
    expect(failureOf(expression)).toBe(message);
  });

  it("has Python's words for what has no inverse, and for what cannot merge", () => {
    expect(failureOf("pow(2, -1, 4)")).toBe("base is not invertible for the given modulus");
    expect(failureOf("int($)", `-${"1".repeat(4_301)}`)).toBe(
      "Exceeds the limit (4300 digits) for integer string conversion: value has 4301 digits; use sys.set_int_max_str_digits() to increase the limit",
    );
    expect(failureOf("{a => {b => 1}}.mergeWith({a => [1]})")).toBe(
      "Cannot merge <class 'yaql.language.utils.FrozenDict'> with <class 'tuple'>",
    );
  });
});

describe("the work of an expression", () => {
  it("is little for a join of two lists of 60 items", () => {
    expect(run("range(60).join(range(60), $1 = $2, $1).len()")).toBe(60);
  });

  it.each([
    "let(large => pow(7, 9000)) -> range(100).select($large * $large mod $large)",
    "let(large => pow(7, 9000)) -> range(100).select(str($large).len())",
    "pow(pow(7, 2000), pow(7, 2000), pow(7, 1900))",
    "pow(7, -1, pow(7, 9000) + 1)",
  ])("counts the length of integers: %s", (expression) => {
    expect(failureOf(expression)).toBe("too many steps");
  });

  it("allows the powers of cryptography", () => {
    expect(run("pow(3, 65537, 1000007)")).toBe(Number(3n ** 65_537n % 1_000_007n));
    expect(run("pow(3, pow(2, 1024) - 1, pow(2, 1024) - 105) > 0")).toBe(true);
  });

  it("counts a regular expression when it is compiled, once for many items", () => {
    const pattern = "(?:(?=a)b)?".repeat(80);
    expect(run(`range(190).select("a" =~ "${pattern}").where($).len()`)).toBe(190);
    const computed = `range(190).select("a" =~ concat("${pattern}", str($))).where($).len()`;
    expect(failureOf(computed)).toBe("too many steps");
  });
});
