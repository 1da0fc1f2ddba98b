import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canonicalJson,
  ExactNumber,
  hasSameText,
  jsonEquals,
  numberText,
  parseJson,
} from "#lib/json.ts";
import { pythonType } from "#lib/template/python-text.ts";

const rewritten = (text: string): string => JSON.stringify(parseJson(text));

describe("a number in JSON", () => {
  it.each([
    "0",
    "-1",
    "9007199254740991",
    "9007199254740993",
    "123456789012345678",
    "-100000000000000000000000000001",
    "1.0",
    "-0.0",
    "0.1",
    "1e+20",
    "1.5e-07",
    "1e-05",
    "9007199254740992.0",
    "1.7976931348623157e+308",
    "5e-324",
  ])("%s keeps its text", (text) => {
    expect(rewritten(text)).toBe(text);
    expect(rewritten(`{"a": [${text} , {"b":${text}}]}`)).toBe(`{"a":[${text},{"b":${text}}]}`);
  });

  it.each([
    ["1e20", "1e+20"],
    ["1E2", "100.0"],
    ["10.00", "10.0"],
    ["-0", "0"],
    ["1.00000000000000000001", "1.0"],
    ["12345678901234567.5", "1.2345678901234568e+16"],
    ["0.00001", "1e-05"],
  ])("%s is written as Python writes it: %s", (text, expected) => {
    expect(rewritten(text)).toBe(expected);
  });

  it.each(["1e400", "-1e400", `${"9".repeat(4301)}`])(
    "is refused beyond Python's range",
    (text) => {
      expect(() => parseJson(`{"port": ${text}}`)).toThrow('the number at "port" is out of range');
    },
  );

  it.each(["9".repeat(4_300), `-${"9".repeat(4_300)}`])("may have 4300 digits", (text) => {
    expect(rewritten(text)).toBe(text);
  });

  it("stays JavaScript's own where that has the same text", () => {
    expect(parseJson('[1, 0.5, -7, 1700000000000, "1.0"]')).toEqual([1, 0.5, -7, 17e11, "1.0"]);
  });

  it.each(["1e+21", "1e22", "-1.5e+300", "1.7976931348623157e+308"])("%s is a float", (text) => {
    expect(pythonType(parseJson(text))).toBe("float");
  });

  it("changes nothing in texts that look like numbers", () => {
    const text = JSON.stringify({ "1.0": "[1.0,", ":2.0": '":1.0,', list: ["1e20", ",1e20]"] });
    expect(rewritten(text)).toBe(text);
  });
});

const numberTexts = fc.oneof(
  fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }).map(String),
  fc.integer().map(String),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => numberText(new ExactNumber(value))),
);

const jsonTexts = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    numberTexts,
    fc.string({ unit: "grapheme" }).map((text) => JSON.stringify(text)),
    fc.constantFrom("null", "true", "false"),
    fc.array(tie("value")).map((items) => `[${items.join(",")}]`),
    fc
      .uniqueArray(
        fc.tuple(fc.oneof(fc.string(), fc.nat().map(String), fc.nat(12).map(String)), tie("value")),
        {
          selector: ([key]) => key,
        },
      )
      .map((members) => `{${members.map(([k, v]) => `${JSON.stringify(k)}:${v}`).join(",")}}`),
  ),
})).value;

describe("any JSON", () => {
  it("is the same text after it was read and written", () => {
    fc.assert(
      fc.property(jsonTexts, (text) => {
        expect(rewritten(text)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps each member, whatever its name", () => {
    const text = '{"__proto__":{"a":1.0},"constructor":2,"toString":1e+20}';
    expect(rewritten(text)).toBe(text);
    const beside = `{"1":${text},"0":{"__proto__":{"1":1.0,"0":2}}}`;
    expect(rewritten(beside)).toBe(beside);
    expect(
      Object.hasOwn(Object(parseJson('{"1":1,"0":2,"__proto__":{"polluted":3}}')), "polluted"),
    ).toBe(false);
  });

  it.each([
    ['{"b":1,"10":2,"2":{"1":[{"9":0,"8":0}],"0":null},"a":3}'],
    ['{"4294967295":1,"4294967294":2,"01":3,"0":4,"-1":5,"1.5":6}'],
    ['{"1":1.0,"0":123456789012345678901,"2":"2.0"}'],
    ['{"#1":1,"1":2,"#0":3,"0":4,"":5}'],
    [String.raw`{"say \"2\":":"\"1\":","\\":{"2":"\\","1":"{\"1\":1,\"0\":2}"},"0":1}`],
  ])("keeps the order of keys: %s", (text) => {
    expect(rewritten(text)).toBe(text);
  });

  it("keeps the order in a text with blanks, escaped keys and a key that comes twice", () => {
    const text = String.raw`{ "b" : 1, "2"${"\t"}: [ ], "\u0031"${"\r\n"}:{}, "b":2 }`;
    expect(rewritten(text)).toBe('{"b":2,"2":[],"1":{}}');
  });

  it("keeps the order beside a huge text of escapes", () => {
    const text = JSON.stringify({ text: '"\\'.repeat(4_000_000) }).replace("{", '{"1":1,"0":2,');
    expect(rewritten(text) === text).toBe(true);
  });

  it.each(['{"1":1,"0":', '{"1":1,"0":2}}', '{"1":1 "0":2}', '{"1":01,"0":1}'])(
    "is refused where it is none: %s",
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    },
  );
});

it("reads a text that nests more deeply than recursion goes", () => {
  const levels = 100_000;
  const text = `${"[".repeat(levels)}{"2":0,"1":1}${"]".repeat(levels)}`;
  expect(() => parseJson(text)).not.toThrow();
});

describe("the same text", () => {
  it("is told as by writing both", () => {
    fc.assert(
      fc.property(jsonTexts, jsonTexts, (left, right) => {
        expect(hasSameText(parseJson(left), parseJson(left))).toBe(true);
        expect(hasSameText(parseJson(left), parseJson(right))).toBe(left === right);
        const [one, other] = [`[{"a":${left}}]`, `[{"a":${right}}]`];
        expect(hasSameText(parseJson(one), parseJson(other))).toBe(one === other);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["1", "1.0"],
    ["1", '"1"'],
    ["null", "{}"],
    ["[]", "{}"],
    ["[1]", '{"0":1}'],
    ["[1,2]", "[2,1]"],
    ["[1]", "[1,2]"],
    ['{"a":1,"b":2}', '{"b":2,"a":1}'],
    ['{"a":null}', "{}"],
    ['{"a":null}', '{"b":null}'],
    ['{"a":{"b":[true]}}', '{"a":{"b":[false]}}'],
  ])("%s is not %s", (left, right) => {
    expect(hasSameText(parseJson(left), parseJson(right))).toBe(false);
    expect(hasSameText(parseJson(right), parseJson(left))).toBe(false);
  });
});

describe("equality", () => {
  it.each([
    ["1", "1.0"],
    ["100000000000000000000", "1e20"],
    ["0", "-0.0"],
    ['{"a":[1,2.5]}', '{"a":[1.0,2.50]}'],
  ])("%s equals %s, as in Python", (left, right) => {
    expect(jsonEquals(parseJson(left), parseJson(right))).toBe(true);
    expect(canonicalJson(parseJson(left))).toBe(canonicalJson(parseJson(right)));
  });

  it.each([
    ["9007199254740992", "9007199254740993"],
    ["9007199254740993", "9007199254740993.0"],
    ["99999999999999999999999", "1e23"],
    ["1", "1.5"],
    ["1", '"1"'],
    ["1", "true"],
  ])("%s does not equal %s", (left, right) => {
    expect(jsonEquals(parseJson(left), parseJson(right))).toBe(false);
  });
});
