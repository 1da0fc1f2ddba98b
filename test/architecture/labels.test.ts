/** Each label of docs/convergence-reference.md is in a test's title, and its quotes exist. */
import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import { ALL_MUTANTS } from "#test/simulation/mutants/mutants.ts";
import { isFoundIn, LABELS, upTo } from "./labels.ts";
import { repositoryFiles } from "./repository.ts";
import { parse } from "./syntax-rules.ts";
import { testTitles } from "./test-titles.ts";

const files = repositoryFiles();
const textOf = (path: string): string =>
  present(
    files.find((file) => file.path === path),
    path,
  ).text;
const page = textOf("docs/convergence-reference.md");
const titles = testTitles(
  files.filter(({ path }) => path.endsWith(".ts")).map(({ path, text }) => parse(path, text)),
);

const sectionOf = (title: string): string => {
  const [, section = ""] = page.split(`\n## ${title}\n`);
  return section.split("\n## ")[0] ?? "";
};

const known = [...titles, ...ALL_MUTANTS.map(({ name }) => name)];
const unknownOf = (quotes: readonly string[]): readonly string[] =>
  quotes.filter((text) => !known.some((title) => title.includes(text)));

const quotedIn = (text: string): readonly string[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .flatMap((line) => [...(line.split(" | ").at(-1) ?? "").matchAll(/"([^"]+)"/g)])
    .map(([, quoted = ""]) => quoted.replace(/,? ?…$/, ""));

describe("each label of the convergence reference", () => {
  it.each(LABELS)("has a row or a paragraph: %s1 to %s", (kind, last) => {
    const rows = upTo(kind, last).filter(
      (label) => !page.includes(`\n| ${label} |`) && !page.includes(`\n**${label} `),
    );
    expect(rows).toEqual([]);
  });

  it.each(LABELS)("is in the title of a test: %s1 to %s", (kind, last) => {
    const lost = upTo(kind, last).filter(
      (label) => !titles.some((title) => isFoundIn(title, label)),
    );
    expect(lost).toEqual([]);
  });

  it("is not found inside a longer number", () => {
    expect(isFoundIn("P1, T12: a title", "T12")).toBe(true);
    expect(isFoundIn("P3.1, T12: a title", "T1")).toBe(false);
    expect(isFoundIn("P3.1, T12: a title", "P3")).toBe(true);
  });

  it("and each mutant is in the table of mutants.md, and no other", () => {
    const rows = [
      ...textOf("test/simulation/mutants/mutants.md").matchAll(
        /^\| ([^|]+) \| [^|]+ \| (?!caught by|---)/gm,
      ),
    ];
    expect(rows.map(([, name]) => name).toSorted()).toEqual(
      ALL_MUTANTS.map(({ name }) => name).toSorted(),
    );
    expect(textOf("CONTRIBUTING.md")).toContain(`: ${ALL_MUTANTS.length}, and none survives`);
  });
});

describe("a page quotes tests that exist", () => {
  it.each([
    ["Step by step, beside Heat", sectionOf("Step by step, beside Heat"), 25],
    ["Invariants", sectionOf("Invariants"), 25],
    ["corrections.md", textOf("docs/corrections.md"), 8],
  ])("%s", (_, text, least) => {
    const quoted = quotedIn(text);
    expect(quoted.length).toBeGreaterThan(least);
    expect(unknownOf(quoted)).toEqual([]);
  });
});
