import { describe, expect, it } from "vitest";
import { NO_FLAGS } from "#lib/pattern/flags.ts";
import { Pattern } from "#lib/pattern/pattern.ts";

describe("a wrong pattern", () => {
  it.each([
    ["(", "missing ), unterminated subpattern at position 0"],
    ["a)", "unbalanced parenthesis at position 1"],
    ["a\n(b", "missing ), unterminated subpattern at position 2 (line 2, column 1)"],
    ["[a", "unterminated character set at position 0"],
    ["[b-a]", "bad character range b-a at position 1"],
    ["[a-\\d]", "bad character range a-\\d at position 1"],
    ["*", "nothing to repeat at position 0"],
    ["^*", "nothing to repeat at position 1"],
    ["a**", "multiple repeat at position 2"],
    ["a{2,1}", "min repeat greater than max repeat at position 2"],
    ["a{4294967295}", "the repetition number is too large"],
    ["\\", "bad escape (end of pattern) at position 0"],
    ["\\q", "bad escape \\q at position 0"],
    ["\\x1", "incomplete escape \\x1 at position 0"],
    ["\\U00110000", "bad escape \\U00110000 at position 0"],
    ["\\400", "octal escape value \\400 outside of range 0-0o377 at position 0"],
    ["\\N{DIGIT ONE}", "characters by name (\\N) are not supported at position 0"],
    ["\\1", "invalid group reference 1 at position 1"],
    ["(\\1)", "cannot refer to an open group at position 1"],
    ["(?P=a)", "unknown group name 'a' at position 4"],
    ["(?P<1>a)", "bad character in group name '1' at position 4"],
    ["(?P<\n>a)", "bad character in group name '\\n' at position 4 (line 1, column 5)"],
    ["(?P<a", "missing >, unterminated name at position 4"],
    ["(?P<>a)", "missing group name at position 4"],
    ["(?P<a>a)(?P<a>b)", "redefinition of group name 'a' as group 2; was group 1 at position 12"],
    ["(?Pa)", "unknown extension ?Pa at position 1"],
    ["(?<a)", "unknown extension ?<a at position 1"],
    ["(?z)", "unknown extension ?z at position 1"],
    ["(?", "unexpected end of pattern at position 2"],
    ["(?(1)a)", "invalid group reference 1 at position 3"],
    ["(?(0)a)", "bad group number at position 3"],
    ["(?(-0)a)", "bad group number at position 3"],
    ["(?(-1)a)", "bad character in group name '-1' at position 3"],
    ["(?(\ufeff1)a)", "bad character in group name '\\ufeff1' at position 3"],
    ["(a)(?(1)a|b|c)", "conditional backref with more than two branches at position 11"],
    ["(?#", "missing ), unterminated comment at position 0"],
    ["(?<=a+)", "look-behind requires fixed-width pattern"],
    ["(?<!a|bc)", "look-behind requires fixed-width pattern"],
    [
      "(?<=(a)\\1)",
      "cannot refer to group defined in the same lookbehind subpattern at position 9",
    ],
    ["a(?i)", "global flags not at the start of the expression at position 1"],
    ["(?iq)", "unknown flag at position 3"],
    ["(?i", "missing -, : or ) at position 3"],
    ["(?i-)", "missing flag at position 4"],
    ["(?i-i:a)", "bad inline flags: flag turned on and off at position 5"],
    ["(?au)", "bad inline flags: flags 'a', 'u' and 'L' are incompatible at position 4"],
    ["(?a)(?u)", "ASCII and UNICODE flags are incompatible"],
    ["(?L)", "bad inline flags: cannot use 'L' flag with a str pattern at position 3"],
    ["(?-a:b)", "bad inline flags: cannot turn off flags 'a', 'u' and 'L' at position 4"],
    ["(".repeat(401), "more than 400 groups in each other at position 400"],
    ["a".repeat(16_385), "longer than 16384 characters"],
  ])("%j: %s", (pattern, message) => {
    expect(() => new Pattern(pattern)).toThrow(expect.objectContaining({ message }));
  });

  it("may not ask for ASCII where Unicode is asked for", () => {
    expect(() => new Pattern("(?a)b", { ...NO_FLAGS, unicode: true })).toThrow(
      "ASCII and UNICODE flags are incompatible",
    );
  });
});
