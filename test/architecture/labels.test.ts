/** What docs/convergence.md numbers is shown by some test, and can be found by its label; what it quotes is there. */
import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import { ALL_MUTANTS } from "#test/simulation/mutants/mutants.ts";
import { repositoryFiles } from "./repository.ts";
import { parse } from "./syntax-rules.ts";
import { testTitles } from "./test-titles.ts";

const files = repositoryFiles();
const textOf = (path: string): string =>
  present(
    files.find((file) => file.path === path),
    path,
  ).text;
const page = textOf("docs/convergence.md");
const titles = testTitles(
  files.filter(({ path }) => path.endsWith(".ts")).map(({ path, text }) => parse(path, text)),
);

const upTo = (kind: string, last: number): readonly string[] =>
  Array.from({ length: last }, (_, at) => `${kind}${at + 1}`);
const LABELS = [
  ["P", 15],
  ["S", 25],
  ["L", 10],
  ["D", 12],
  ["T", 43],
  ["case ", 19],
] as const;

const isFoundIn = (text: string, label: string): boolean =>
  new RegExp(`(?<![\\w.])${label}(?!\\d)`).test(text);

const sectionOf = (title: string): string => {
  const [, section = ""] = page.split(`\n## ${title}\n`);
  return section.split("\n## ")[0] ?? "";
};

/** What the last cells of a section's tables quote, an ellipsis standing for the rest. */
const quotedIn = (section: string): readonly string[] =>
  sectionOf(section)
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .flatMap((line) => [...(line.split(" | ").at(-1) ?? "").matchAll(/"([^"]+)"/g)])
    .map(([, quoted = ""]) => quoted.replace(/ ?…$/, ""));

describe("what the page on convergence numbers", () => {
  it.each(LABELS)("has a row or a paragraph on the page: %s1 to %s", (kind, last) => {
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

  it("is not taken for found where a longer number is", () => {
    expect(isFoundIn("P1, T12: a title", "T12")).toBe(true);
    expect(isFoundIn("P3.1, T12: a title", "T1")).toBe(false);
    expect(isFoundIn("P3.1, T12: a title", "P3")).toBe(true);
  });

  it.each(["Step by step, beside Heat", "Invariants"])(
    "quotes tests that there are: %s",
    (section) => {
      const known = [...titles, ...ALL_MUTANTS.map(({ name }) => name)];
      const quoted = quotedIn(section);
      expect(quoted.length).toBeGreaterThan(25);
      expect(quoted.filter((text) => !known.some((title) => title.includes(text)))).toEqual([]);
    },
  );

  it("has each mutant in the table of mutants.md, and no other", () => {
    const rows = [
      ...textOf("test/simulation/mutants/mutants.md").matchAll(
        /^\| ([^|]+) \| [^|]+ \| (?!caught by|---)/gm,
      ),
    ];
    expect(rows.map(([, name]) => name).toSorted()).toEqual(
      ALL_MUTANTS.map(({ name }) => name).toSorted(),
    );
  });
});
