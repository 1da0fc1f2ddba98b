import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitsGlob } from "#lib/template/environment/glob.ts";

/** Slow, but its recursion is obviously right. */
const fits = (pattern: readonly string[], text: readonly string[]): boolean => {
  const [sign, ...rest] = pattern;
  if (sign === undefined) return text.length === 0;
  if (sign === "*") return fits(rest, text) || (text.length > 0 && fits(pattern, text.slice(1)));
  return text.length > 0 && (sign === "?" || sign === text[0]) && fits(rest, text.slice(1));
};

const characters = (signs: readonly string[]) =>
  fc.array(fc.constantFrom(...signs), { maxLength: 8 });

describe("a pattern of names", () => {
  it("fits the texts that a search of all ways finds", () => {
    fc.assert(
      fc.property(
        characters(["*", "?", "a", "b", "\u{1f600}"]),
        characters(["a", "b", "\u{1f600}", "\n"]),
        (pattern, text) => {
          expect(fitsGlob(pattern.join(""), text.join(""))).toBe(fits(pattern, text));
        },
      ),
      { numRuns: 20_000 },
    );
  });

  it("takes the signs of regular expressions as they are", () => {
    expect(fitsGlob("a.b", "axb")).toBe(false);
    expect(fitsGlob("(a|b)+[c]", "(a|b)+[c]")).toBe(true);
  });
});
