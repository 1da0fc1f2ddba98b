/** Texts as Python reads and orders them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decimalText,
  integerText,
  isSpace,
  notFinite,
  pythonStrip,
  words,
} from "#lib/python/read-text.ts";
import { compareTexts } from "#lib/python/show-text.ts";

describe("the order of texts", () => {
  const points = (text: string) => Array.from(text).map((one) => one.codePointAt(0) ?? 0);
  const byPoints = (left: string, right: string): number => {
    const [ones, others] = [points(left), points(right)];
    const at = ones.findIndex((one, index) => one !== others[index]);
    return at < 0 ? ones.length - others.length : (ones[at] ?? 0) - (others[at] ?? -1);
  };

  it("is that of their code points, also of halves of pairs", () => {
    const text = fc
      .array(fc.constantFrom("a", "\ue000", "\ud83d", "\ude00", "\udfff", "\u{1f600}"), {
        maxLength: 5,
      })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, (left, right) => {
        expect(Math.sign(compareTexts(left, right))).toBe(Math.sign(byPoints(left, right)));
      }),
      { numRuns: 20_000 },
    );
  });
});

describe("white space", () => {
  it("has five separators that JavaScript lacks, and no byte order mark", () => {
    const ours = Array.from({ length: 0x1_00_00 }, (_, unit) => String.fromCharCode(unit));
    const differing = ours.filter((one) => isSpace(one) !== /^\s$/.test(one));
    expect(differing).toEqual(["\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\ufeff"]);
  });

  it("is stripped at both ends, and separates words", () => {
    expect(pythonStrip("\x1c\u3000a b\x85")).toBe("a b");
    expect(pythonStrip("\ufeffa")).toBe("\ufeffa");
    expect(words("\x1fone\u2003\x85two \ufeffthree ")).toEqual(["one", "two", "\ufeffthree"]);
    expect(words(" \n")).toEqual([]);
  });
});

describe("a text of a number", () => {
  it.each([
    ["\u3000+1_0\x85\n", "+10", "+10"],
    ["\x1c1", null, null],
    ["١٢", "12", "12"],
    ["１.５e１_0", null, "1.5e10"],
    [".5", null, ".5"],
    ["1__0", null, null],
    ["\ufeff1", null, null],
    ["", null, null],
  ])("%j is the integer %s and the decimal %s", (text, integer, decimal) => {
    expect(integerText(text)).toBe(integer);
    expect(decimalText(text)).toBe(decimal);
  });

  it.each([
    [" Infinity\x0b", "inf"],
    ["-INF", "-inf"],
    ["-nan", "nan"],
    ["infinit", null],
  ])("%j is %s", (text, found) => {
    expect(notFinite(text)).toBe(found);
  });
});
