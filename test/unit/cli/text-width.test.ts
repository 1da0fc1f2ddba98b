import { describe, expect, it } from "vitest";
import { cutTo, padTo, widthOf, wrapTo } from "../../../apps/cli/text-width.ts";

describe("the columns of a text", () => {
  it.each([
    ["web", 3],
    ["naïve", 5],
    ["nai\u0308ve", 5],
    ["日本", 4],
    ["한국", 4],
    ["ｗｅｂ", 6],
    ["ｶﾅ", 2],
    ["\u{1f30d}", 2],
    ["\u{1f469}\u200d\u{1f680}x", 3],
    ["├─ ä", 4],
    ["zero\u200bwidth", 9],
    ["", 0],
  ])("of %j are %i", (text, columns) => {
    expect(widthOf(text)).toBe(columns);
  });

  it("are padded with blanks, and cut only between letters", () => {
    expect(padTo("日本", 6)).toBe("日本  ");
    expect(padTo("long", 2)).toBe("long");
    expect(cutTo("日本語", 5)).toBe("日本");
    expect(cutTo("nai\u0308ve", 3)).toBe("nai\u0308");
    expect(cutTo("web", 3)).toBe("web");
  });
});

describe("a wrapped text", () => {
  it.each([
    ["one two three", 7, ["one two", "three"]],
    ["one two", 80, ["one two"]],
    ["a verylongword b", 6, ["a", "verylo", "ngword", "b"]],
    ["日本語 ab", 5, ["日本", "語 ab"]],
    ["", 5, [""]],
  ])("of %j in %i columns is %j", (text, width, lines) => {
    expect(wrapTo(text, width)).toEqual(lines);
  });
});
