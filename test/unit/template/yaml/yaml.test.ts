import { describe, expect, it } from "vitest";
import { ExactNumber } from "#lib/json.ts";
import { UnreadableText } from "#lib/template/yaml/source.ts";
import { parseText } from "#lib/template/yaml/yaml.ts";

const problemOf = (text: string): string => {
  try {
    parseText(text);
  } catch (failure) {
    if (failure instanceof UnreadableText) return failure.message;
    throw failure;
  }
  throw new Error(`read without a problem: ${text}`);
};

describe("collections", () => {
  it.each([
    ["key:\n- a\n-\n- - b\n  - c\n", { key: ["a", null, ["b", "c"]] }],
    ["- a: 1\n  b:\n- ? c\n  : d\n", [{ a: 1, b: null }, { c: "d" }]],
    ["{a: b, c, ? d : e, 'f':g}", { a: "b", c: null, d: "e", f: "g" }],
    ["[a, b: c, ? d, {}, []]", ["a", { b: "c" }, { d: null }, {}, []]],
    ["{a: {b: 1},\n# between\n c: x:y, }", { a: { b: 1 }, c: "x:y" }],
    ["a: 1\nb: 2\na: 3\n", { a: 3, b: 2 }],
    ["1: a\nyes: b\n~: c\n1.0: d\n", { "1": "a", true: "b", null: "c", "1.0": "d" }],
    ["%YAML 1.1\n--- # the document\na: b\n...\n", { a: "b" }],
    ["\ufeff---\n- a\n", ["a"]],
    ["", null],
  ])("%j", (text, value) => {
    expect(parseText(text)).toEqual(value);
  });
});

describe("scalars", () => {
  it.each([
    ["a\tb", "a\tb"],
    ["a b\n  c\n\n  d # e", "a b c\nd"],
    ["'it''s\n  here'", "it's here"],
    ['"a\\x41\\u00e9\\\n   b\\tc\\/"', "aAéb\tc/"],
    ["|\n  a\n   b\n\n", "a\n b\n"],
    ["|-\n  a\n\n", "a"],
    ["|+\n  a\n\n", "a\n\n"],
    [">\n  a\n  b\n\n  c\n   d\n  e\n", "a b\nc\n d\ne\n"],
    ["|2\n    a\n  b\n", "  a\nb\n"],
    [">#c", ""],
    ["2013-05-23", "2013-05-23"],
    ["'12'", "12"],
    ["09", "09"],
    ["-0x_1f", -31],
    ["1:30:00", 5400],
    ["1:30.5", 90.5],
    ["+1_0", 10],
    ["1.5e+3", new ExactNumber(1500)],
    ["1e3x", "1e3x"],
  ])("%j", (text, value) => {
    expect(parseText(text)).toEqual(value);
  });
});

describe("tags, anchors and merge keys", () => {
  it.each([
    ["!!binary aMOp\n", "hé"],
    ["!!set {b, a}", ["b", "a"]],
    [
      "!!omap [b: 1, a: 2]",
      [
        ["b", 1],
        ["a", 2],
      ],
    ],
    [
      "[!!str 1, !!int '2', !!null x, !!float 3, ! 4, !!str ]",
      ["1", 2, null, new ExactNumber(3), 4, ""],
    ],
    ["%TAG !y! tag:yaml.org,2002:\n---\n[!y!str 1, !<tag:yaml.org,2002:int> '2']", ["1", 2]],
    ["[&a {x: 1}, *a, &b, *b ]", [{ x: 1 }, { x: 1 }, null, null]],
    ["[{<<: [{a: 1, b: 1}, {a: 2, c: 2}], b: 3}, '<<']", [{ a: 1, c: 2, b: 3 }, "<<"]],
    ["{=: 1}", { "=": 1 }],
  ])("%j", (text, value) => {
    expect(parseText(text)).toEqual(value);
  });

  it("keeps the order of keys of digits", () => {
    expect(JSON.stringify(parseText("b: 1\n10: 2\n2: 3"))).toBe('{"b":1,"10":2,"2":3}');
  });

  it("keeps merged entries before the map's own", () => {
    const read = parseText("b: 1\n<<: {a: 2, b: 3}\nc: 4");
    expect(JSON.stringify(read)).toBe('{"a":2,"b":1,"c":4}');
  });
});

/** PyYAML 6.0 gives each of these messages for the same text. */
describe("problems, in the words of PyYAML", () => {
  const at = (line: number, column: number, snippet: string): string =>
    `  in "<unicode string>", line ${line}, column ${column}:\n    ${snippet}\n${" ".repeat(column + 3)}^`;

  it.each([
    ["a: b: c", ["mapping values are not allowed here", at(1, 5, "a: b: c")]],
    ["a: 1\n b: 2", ["mapping values are not allowed here", at(2, 3, " b: 2")]],
    [
      "a:\n  - b\n c: d",
      [
        "while parsing a block mapping",
        at(1, 1, "a:"),
        "expected <block end>, but found '<block mapping start>'",
        at(3, 2, " c: d"),
      ],
    ],
    [
      "a: @b",
      [
        "while scanning for the next token",
        "found character '@' that cannot start any token",
        at(1, 4, "a: @b"),
      ],
    ],
    [
      "\ta: b",
      [
        "while scanning for the next token",
        "found character '\\t' that cannot start any token",
        at(1, 1, "\ta: b"),
      ],
    ],
    [
      "a: 'b",
      [
        "while scanning a quoted scalar",
        at(1, 4, "a: 'b"),
        "found unexpected end of stream",
        at(1, 6, "a: 'b"),
      ],
    ],
    [
      'a: "\\q"',
      [
        "while scanning a double-quoted scalar",
        at(1, 4, 'a: "\\q"'),
        "found unknown escape character 'q'",
        at(1, 6, 'a: "\\q"'),
      ],
    ],
    ["a: *b", ["found undefined alias 'b'", at(1, 4, "a: *b")]],
    [
      "[&a 1, &a 2]",
      [
        "found duplicate anchor 'a'; first occurrence",
        at(1, 2, "[&a 1, &a 2]"),
        "second occurrence",
        at(1, 8, "[&a 1, &a 2]"),
      ],
    ],
    [
      "a: !secret b",
      ["could not determine a constructor for the tag '!secret'", at(1, 4, "a: !secret b")],
    ],
    [
      "a: {=: &x [!deep b]}\nc: *x\nd: !secret e",
      ["could not determine a constructor for the tag '!secret'", at(3, 4, "d: !secret e")],
    ],
    ["[a]: b", ["while constructing a mapping", "found unhashable key", at(1, 1, "[a]: b")]],
    [
      "!!binary a",
      [
        "failed to decode base64 data: Invalid base64-encoded string: number of data characters (1) cannot be 1 more than a multiple of 4",
        at(1, 1, "!!binary a"),
      ],
    ],
    [
      "x: 1\ny\nz: 2",
      [
        "while scanning a simple key",
        at(2, 1, "y"),
        "could not find expected ':'",
        at(3, 1, "z: 2"),
      ],
    ],
  ])("%j", (text, lines) => {
    expect(problemOf(text)).toBe(lines.join("\n"));
  });

  it("shows the middle of a long line", () => {
    const text = `a: ${"x".repeat(60)} [é: b: ${"y".repeat(60)}`;
    const [, , snippet = "", arrow = ""] = problemOf(text).split("\n");
    expect(snippet).toMatch(/^ {4} \.\.\. x+ \[é: b: y+ \.\.\. $/);
    expect(snippet.charAt(arrow.length - 1)).toBe(":");
  });

  it("names the position of a control character", () => {
    expect(problemOf("é: \u0007")).toBe(
      'unacceptable character #x0007: special characters are not allowed\n  in "<unicode string>", position 3',
    );
  });
});

describe("limits", () => {
  it("refuses a node within itself", () => {
    expect(problemOf("a: &a [*a]")).toMatch(/^found unconstructable recursive node\n/);
  });

  it("refuses maps that are merged again and again", () => {
    const levels = Array.from({ length: 12 }, (_, at) => {
      const merged = at === 0 ? "{x: 1}" : `{<<: [${`*m${at - 1}, `.repeat(10)}]}`;
      return `m${at}: &m${at} ${merged}`;
    });
    expect(problemOf(levels.join("\n"))).toBe("it merges more than 100000 entries of maps");
  });

  it("refuses a chain of aliases that nests too deeply", () => {
    const levels = Array.from(
      { length: 300 },
      (_, at) => `- &d${at} [${at === 0 ? "" : `*d${at - 1}`}]`,
    );
    expect(problemOf(levels.join("\n"))).toBe("it is nested more than 200 levels deep");
  });
});
