import { describe, expect, it } from "vitest";
import { describeJsonError } from "#lib/template/json-error.ts";

describe("describeJsonError", () => {
  it.each([
    ["{bad", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"],
    ["[1,\n 2 3]", "Expecting ',' delimiter: line 2 column 4 (char 7)"],
    ['{"a" 1}', "Expecting ':' delimiter: line 1 column 6 (char 5)"],
    ['{"a": }', "Expecting value: line 1 column 7 (char 6)"],
    ['{"a": 1} x', "Extra data: line 1 column 10 (char 9)"],
    ['"abc', "Unterminated string starting at: line 1 column 1 (char 0)"],
    ['"a\nb"', "Invalid control character at: line 1 column 3 (char 2)"],
    ['"\\x"', "Invalid \\escape: line 1 column 2 (char 1)"],
    ["\ufeff{}", "Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)"],
    ["[1,]", "Expecting value: line 1 column 4 (char 3)"],
    ["nope", "Expecting value: line 1 column 1 (char 0)"],
  ])("shows where %j stops being JSON, like Python", (text, message) => {
    expect(describeJsonError(text)).toBe(message);
  });

  it("gives up on very many brackets", () => {
    expect(describeJsonError("[".repeat(100_000))).toMatch(/^Nested too deeply/);
  });
});
