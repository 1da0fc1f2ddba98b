import { describe, expect, it } from "vitest";
import { Pattern } from "#lib/pattern/pattern.ts";
import { kindOf, re2Text } from "#lib/pattern/re2-text.ts";
import { matchOf, stepwiseMatchOf } from "./matching.ts";

/** Each answer is what re.match() of Python 3.11 returns: where the match ends, or null. */
describe("a construct of Python's regular expressions", () => {
  it.each<[string, string, number | null]>([
    ["a(?=b)", "ab", 1],
    ["a(?=b)", "ac", null],
    ["a(?!b)", "ac", 1],
    ["a(?!b)", "ab", null],
    ["(?:(?!ab).)*", "xxab", 2],
    ["ab(?<=ab)c", "abc", 3],
    ["ab(?<!b)c", "abc", null],
    ["(?<!a)b", "b", 1],
    ["(?<=a)b", "b", null],
    ["(a)b(?<=\\1b)c", "abc", 3],
    ["(?=(a+))a*b\\1", "aaab", null],
    ["(?=(a+))a*b\\1", "aabaa", 5],
    ["(?=a|(b)){2}b", "b", 1],
    ["(?!(a)b)\\w(?(1)x|y)", "ay", 2],
    ["(a)?(?(\u0661)b|c)", "ab", 2],
    ["(?=a)a*aab", "aab", 3],
    ["(?=a)a*aab", "aaab", 4],
    ["(?=a)a+?b", "aab", 3],
    ["[\\x7f-\\x90]+", "\x7f", 1],
    ["(a|b)\\1", "bb", 2],
    ["(a|b)\\1", "ab", null],
    ["(?P<q>['\"]).*?(?P=q)", "'a\"b'c", 5],
    ["(a)|b\\1", "b", null],
    ["(?i)(a)\\1", "aA", 2],
    ["(?i)(s)\\1", "s\u017f", null],
    ["(?i)ss", "s\u017f", 2],
    ["(a*)\\1b", "aaaab", 5],
    ["()\\1a", "a", 1],
    ["(a)\\141", "aa", 2],
    ["(<)?a(?(1)>)", "<a>", 3],
    ["(<)?a(?(1)>)", "a", 1],
    ["(<)?a(?(1)>|$)", "ab", null],
    ["(?P<o>\\()?a(?(o)\\))", "(a", null],
    ["(?(2)a|b)(c)(d)?", "bc", 2],
    ["(?>a+)a", "aaa", null],
    ["(?>a|ab)c", "abc", null],
    ["a++a", "aaa", null],
    ["a?+b", "ab", 2],
    ["(?:ab?)*+b", "abb", 3],
    ["(?:a|b){2,3}+c", "abbbc", null],
    ["(?:(a)b)*+\\1c", "ababac", 6],
    ["a{,2}", "aaa", 2],
    ["a{2,}?", "aaaa", 2],
    ["a{,}b", "aab", 3],
    ["a{}", "a{}", 3],
    ["a{2", "a{2", 3],
    ["a{1001}", "a".repeat(1_001), 1_001],
    ["(?:a|ab)(?:c|bcd)*?d", "abcd", 4],
    ["(a*)*b", "aab", 3],
    ["(?:a?)*?b", "aab", 3],
    ["(?:a?){3}b", "ab", 2],
    ["[\\w-]{2,3}?([\\d\\n]?|a){1,}", "b_1a", 3],
    ["a$", "a\n", 1],
    ["a$", "a\n\n", null],
    ["a\\Z", "a\n", null],
    ["(?m)a$\n^b", "a\nb", 3],
    ["(?m)a\\n\\A", "a\n", null],
    ["a\\b", "a\u00e9", null],
    ["(?a)a\\b", "a\u00e9", 1],
    ["\\B", "", null],
    ["\\B-", "-", 1],
    ["(?i)\u00e9", "\u00c9", 1],
    ["(?ia)\u00e9", "\u00c9", null],
    ["(?i:a)b", "Ab", 2],
    ["(?i:a)b", "AB", null],
    ["(?i)a(?-i:b)", "Ab", 2],
    ["(?i)a(?-i:b)", "AB", null],
    ["(?s).", "\n", 1],
    [".", "\n", null],
    ["(?s:.).", "\n\n", null],
    ["(?x) a # one\n b", "ab", 2],
    ["(?x)[ ]\\ #", "  ", 2],
    ["(?i)i", "\u0130", 1],
    ["(?i)[^k]", "\u212a", null],
    ["(?i)[A-Z]+", "k\u212as\u017f", 4],
    ["(?i)\u1e9e", "\u00df", 1],
    ["\\w", "\u00e9", 1],
    ["(?a)\\w", "\u00e9", null],
    ["\\d", "\u0663", 1],
    ["(?a:\\d)\\d", "1\u0663", 2],
    ["\\s", "\u001c", 1],
    ["(?a)\\s", "\u001c", null],
    ["\\s", "\u0085", 1],
    ["\\w", "\u{1c89}", null],
    ["[]a]+", "a]", 2],
    ["[^]]", "]", null],
    ["[a-]+", "a-", 2],
    ["[\\w.]+", "\u00e9.", 2],
    ["[^\\W\\d]+", "a1", 1],
    ["\\x41\\u0042\\U00000043\\104\\0", "ABCD\0", 5],
    ["[\\101-\\103]+", "ABCD", 3],
    [".", "\u{1f600}", 1],
    ["\\W\\W", "\u{1f600}\u{1f600}", 2],
    ["(?#no)a", "a", 1],
  ])("%j against %j: %j", (pattern, text, end) => {
    expect(matchOf(pattern, text)).toBe(end);
    expect(stepwiseMatchOf(pattern, text)?.[0]?.[1] ?? null).toBe(end);
  });

  it.each([
    ["(?:(a)|(b))*", "ab", "0-2 0-1 1-2"],
    ["(?=(a))(?!(b))", "a", "0-0 0-1 none"],
    ["(a(?=(b)))*", "ab", "0-1 0-1 1-2"],
    ["((a)|b)*?c", "abc", "0-3 1-2 0-1"],
    ["(a*)*", "aa", "0-2 2-2"],
    ["(?:(a)|b)*", "ab", "0-2 0-1"],
    ["(?:(a)|(?!(b))b)*", "ab", "0-1 0-1 none"],
    ["(?>(a)|b)+", "ab", "0-2 0-1"],
  ])("%j against %j takes %s", (pattern, text, spans) => {
    const shown = stepwiseMatchOf(pattern, text)?.map(([start = -1, end = -1]) =>
      start < 0 ? "none" : `${start}-${end}`,
    );
    expect(shown?.join(" ")).toBe(spans);
  });
});

describe("RE2", () => {
  const isLinear = (pattern: string, text: string): boolean =>
    re2Text(new Pattern(pattern).parsed.body, kindOf(text)) !== null;

  it.each([
    ["(a+)+$", "a", true],
    ["(a+)+$", "a\n", false],
    ["\\ba", "a", true],
    ["\\ba", "\u00e9", false],
    ["(?a)\\ba", "\u00e9", true],
    ["\\Ba", "", false],
    ["(?<=a)b", "ab", true],
    ["(?<=(a))b", "ab", false],
    ["(?i)[a-z]k", "\u212a", true],
    ["(?i)[\\0-\\uffff]", "a", false],
    ["a(?=b)", "ab", false],
    ["(a)\\1", "aa", false],
    ["(a)?(?(1)b)", "ab", false],
    ["(?>a)", "a", false],
    ["a++", "a", false],
    ["(a*)*", "a", false],
    ["a{1001}", "a", false],
    ["a".repeat(3_000), "a", false],
    ["\\w".repeat(20), "\u00e9", false],
  ])("runs %j on %j: %j", (pattern, text, expected) => {
    expect(isLinear(pattern, text)).toBe(expected);
  });
});
