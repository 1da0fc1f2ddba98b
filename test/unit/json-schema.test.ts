import { describe, expect, it } from "vitest";
import * as z from "zod";
import { parseJson } from "#lib/json.ts";
import { plainNumber, recordOf } from "#lib/json-schema.ts";

describe("a record from users' names", () => {
  const schema = z.object({ files: z.optional(recordOf(z.string())) });

  it("keeps each name", () => {
    const text = '{"__proto__":"a","constructor":"b","1":"c"}';
    const { files } = schema.parse({ files: parseJson(text) });
    expect(Object.entries(files ?? {}).toSorted()).toEqual([
      ["1", "c"],
      ["__proto__", "a"],
      ["constructor", "b"],
    ]);
  });

  it("names the place of each wrong member", () => {
    const issues = (text: string) =>
      schema.safeParse({ files: parseJson(text) }).error?.issues.map(({ path }) => path);
    expect(issues('{"__proto__":1,"a":"b","c":null}')).toEqual([
      ["files", "__proto__"],
      ["files", "c"],
    ]);
    expect(issues("[1]")).toEqual([["files"]]);
  });
});

describe("a number for calculating", () => {
  it.each([
    ["30.0", 30],
    ["0.5", 0.5],
    ["9007199254740993", 9007199254740992],
    ["1e20", 1e20],
  ])("%s is %d", (text, expected) => {
    expect(plainNumber.parse(parseJson(text))).toBe(expected);
  });

  it("is no text", () => {
    expect(plainNumber.safeParse("30").success).toBe(false);
  });
});
