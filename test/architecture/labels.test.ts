/** Each label of docs/rules has its place there and a test's title, and quoted titles exist. */
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
const CASES = "docs/rules/cases-and-traces.md";
const INVARIANTS = "docs/rules/invariants.md";
const SECTIONS = ["What it says", "Why", "Without it", "Where", "Tests"];
const LINE_CHARACTERS_MAX = 500;

const rulePages = files.filter(({ path }) => /^docs\/rules\/p\d/.test(path));
const titles = testTitles(
  files.filter(({ path }) => path.endsWith(".ts")).map(({ path, text }) => parse(path, text)),
);

const rowsIn = (path: string, label: string): readonly string[] =>
  textOf(path)
    .split("\n")
    .filter((line) => line.startsWith(`| ${label} |`));

const sectionOf = (page: string, title: string): string => {
  const [, section = ""] = page.split(`\n## ${title}\n`);
  return section.split("\n## ")[0] ?? "";
};

const headingsOf = (page: string, level: string): readonly string[] =>
  page
    .split("\n")
    .flatMap((line) => (line.startsWith(`${level} `) ? line.slice(level.length + 1) : []));

const known = [...titles, ...ALL_MUTANTS.map(({ name }) => name)];
const unknownOf = (quotes: readonly string[]): readonly string[] =>
  quotes.filter((text) => !known.some((title) => title.includes(text)));

const quotesIn = (text: string): readonly string[] =>
  [...text.matchAll(/"([^"]+)"/g)].map(([, quoted = ""]) => quoted.replace(/,? ?…$/, ""));

const quotedInRows = (text: string): readonly string[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .flatMap((line) => quotesIn(line.split(" | ").at(-1) ?? ""));

describe("each rule", () => {
  it.each(upTo("P", 27))("has a page with its number, a name and its sections: %s", (label) => {
    const pages = rulePages.filter(({ text }) => text.startsWith(`# ${label} `));
    expect(pages).toHaveLength(1);
    const [page] = pages;
    const file = `docs/rules/p${label.slice(1).padStart(2, "0")}-`;
    expect(page?.path.startsWith(file)).toBe(true);
    expect(headingsOf(page?.text ?? "", "##")).toEqual(SECTIONS);
    const empty = SECTIONS.filter((title) => !/\w/.test(sectionOf(page?.text ?? "", title)));
    expect(empty).toEqual([]);
    expect(sectionOf(page?.text ?? "", "Where")).toMatch(/\]\(\.\.\/\.\.\/\w+\/.*\.ts\)/);
  });

  it("has a heading for each of its parts that titles cite", () => {
    const parts = new Set(
      titles.flatMap((title) => title.match(/(?<![\w.])P\d+\.\d+[a-z]?/g) ?? []),
    );
    const headings = rulePages.flatMap(({ text }) => headingsOf(text, "###"));
    const lost = [...parts].filter((part) => !headings.some((one) => one.startsWith(`${part} `)));
    expect(parts.size).toBeGreaterThan(4);
    expect(lost).toEqual([]);
  });

  it("has short paragraphs, as have the pages beside it", () => {
    const long = files
      .filter(({ path }) => path.startsWith("docs/rules/"))
      .flatMap(({ path, text }) => text.split("\n").map((line, at) => ({ line, at, path })))
      .filter(({ line }) => !line.startsWith("|") && line.length > LINE_CHARACTERS_MAX)
      .map(({ path, at }) => `${path}:${at + 1}`);
    expect(long).toEqual([]);
  });
});

describe("each label of docs/rules", () => {
  it.each(LABELS.filter(([kind]) => kind !== "P"))("has one row: %s1 to %s", (kind, last) => {
    const page = kind === "S" ? INVARIANTS : CASES;
    const lost = upTo(kind, last).filter((label) => rowsIn(page, label).length !== 1);
    expect(lost).toEqual([]);
  });

  it("has a name of its own, if it is an invariant", () => {
    const names = upTo("S", 40).flatMap(
      (label) => rowsIn(INVARIANTS, label)[0]?.split(" | ")[1] ?? [],
    );
    expect(new Set(names.filter((name) => name !== "")).size).toBe(40);
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
    ["docs/rules/beside-heat.md", textOf("docs/rules/beside-heat.md"), 25],
    [INVARIANTS, textOf(INVARIANTS), 25],
    ["the rules of a visit", sectionOf(textOf(CASES), "The rules of a visit"), 4],
    ["liveness", sectionOf(textOf(CASES), "Liveness"), 10],
    ["docs/corrections.md", textOf("docs/corrections.md"), 8],
  ])("%s", (_, text, least) => {
    const quoted = quotedInRows(text);
    expect(quoted.length).toBeGreaterThan(least);
    expect(unknownOf(quoted)).toEqual([]);
  });

  it("the pages of the rules", () => {
    const quoted = rulePages.flatMap(({ text }) => quotesIn(sectionOf(text, "Tests")));
    expect(quoted.length).toBeGreaterThan(100);
    expect(unknownOf(quoted)).toEqual([]);
  });
});
