import { describe, expect, it } from "vitest";
import { englishProblems } from "./english.ts";
import { complaintsAbout, longestSentence } from "./plain-english.ts";

const words = (count: number): string => Array.from({ length: count }, () => "word").join(" ");

describe("a text", () => {
  it("may have sentences of 45 words, but no longer ones", () => {
    expect(complaintsAbout(`${words(45)}. ${words(45)}.`)).toEqual([]);
    expect(complaintsAbout(`${words(45)} ${words(1)}.`)).toHaveLength(1);
  });

  it("is counted with code and quotes as one word each", () => {
    expect(longestSentence('A `const a = b` and "a b c".').words).toBe(4);
  });

  // The bars keep the samples from being found when the check reads this file.
  it.each([
    "Who|ever asks is answered.",
    "It goes, l|est it stay.",
    "We|re it there, it would be found.",
    "It has mo|re need of that.",
    "The row is t|o have a mark.",
    "A signal that is he|eded ends it.",
  ])("is stilted: %s", (text) => {
    expect(complaintsAbout(text.replace("|", ""))).toHaveLength(1);
  });

  it.each(["Were you there?", "`whoever` is a name.", "The list is to hand."])(
    "is plain: %s",
    (text) => {
      expect(complaintsAbout(text)).toEqual([]);
    },
  );
});

describe("a source file", () => {
  const long = words(46);

  it.each([
    ["a block comment", `/**\n * ${words(23)}\n * ${words(23)}.\n */\nconst a = 1;\n`],
    ["line comments", `// ${words(23)}\n// ${words(23)}.\nconst a = 1;\n`],
    ["a trailing comment", `const a = 1; // ${long}.\n`],
    ["a text", `const a = "${long}";\n`],
    ["a wide comment", `// ${"w".repeat(98)}\n`],
  ])("is checked in %s", (_, text) => {
    expect(englishProblems("lib/a.ts", text).length).toBeGreaterThan(0);
  });

  it.each([
    ["code", `const a = b(\n${`  ${words(1)},\n`.repeat(30)});\n`],
    [
      "a list in a comment",
      `/**\n * - ${words(13)}\n * - ${words(13)}\n * - ${words(13)}\n * - ${words(13)}\n */\nconst a = 1;\n`,
    ],
    ["a script", `const a = "${words(40)}\\n${words(40)}";\n`],
  ])("is left alone in %s", (_, text) => {
    expect(englishProblems("lib/a.ts", text)).toEqual([]);
  });
});

describe("a page", () => {
  it("is checked in its prose and in each cell of its tables", () => {
    expect(englishProblems("docs/a.md", `# Title\n\n${words(46)}.\n`)).toHaveLength(1);
    expect(englishProblems("docs/a.md", `| ${words(40)} | ${words(40)} |\n`)).toEqual([]);
    expect(englishProblems("docs/a.md", `| ${words(46)} | a |\n`)).toHaveLength(1);
  });

  it("is left alone in its code", () => {
    const page = ["```sh", words(60), "```", ""].join("\n");
    expect(englishProblems("docs/a.md", page)).toEqual([]);
  });
});
