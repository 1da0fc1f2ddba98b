/**
 * The threat model claims only what a test asserts. A row of a table names at least one test for
 * each of its sentences, or says "not tested". Outside of the tables, a sentence must link to
 * another page or announce what follows. Two places are exempt: the text before the first heading,
 * and the last section, which says what is not covered.
 */
import { describe, expect, it } from "vitest";
import { targetOf } from "./documents.ts";
import { repositoryFiles } from "./repository.ts";

const PAGE = "docs/security.md";
const CLAIMS_MIN = 60;
const LINK = /\[([^\]]+)\]\(([^)]+)\)/g;
const HEAD_OR_RULE = /\| (?:test|---) \|$/;
const NOT_TESTED = /\bnot tested\b/g;

const texts = new Map(repositoryFiles().map(({ path, text }) => [path, text]));

const [, ...sections] = (texts.get(PAGE) ?? "").split(/^## /m);
const ABSENCES = "Not there\n";
const claiming = sections.filter((section) => !section.startsWith(ABSENCES));
const lines = claiming.flatMap((section) => section.split("\n").slice(1));
const rows = lines.filter((line) => line.startsWith("| ") && !HEAD_OR_RULE.test(line));
const prose = lines.filter((line) => line !== "" && !/^(?:\||###)/.test(line));

const testsOf = (row: string) =>
  [...row.matchAll(LINK)].flatMap(([, title = "", link = ""]) => {
    const { path } = targetOf(PAGE, link);
    return path.startsWith("test/") ? [{ title, path }] : [];
  });

const sentencesIn = (row: string): number =>
  row
    .split("|")
    .slice(0, -2)
    .join(" ")
    .replaceAll(LINK, "link")
    .split(/[.!?] +(?=\S)/).length;

const isShort = (row: string): boolean =>
  testsOf(row).length + [...row.matchAll(NOT_TESTED)].length < sentencesIn(row);

describe("the threat model", () => {
  it("names a test for each sentence that claims something, or says that there is none", () => {
    expect(rows.length).toBeGreaterThan(CLAIMS_MIN);
    expect(sections.length).toBe(claiming.length + 1);
    expect(rows.filter(isShort)).toEqual([]);
  });

  it("claims nothing outside of its tables", () => {
    expect(prose.filter((line) => !line.endsWith(":"))).toEqual([]);
  });

  it.each([
    ["| A is so. B is so | [one](../test/a.test.ts) |", true],
    ["| A is so. B is so | [one](../test/a.test.ts), [two](../test/a.test.ts) |", false],
    ["| A is so ([page](a.md)) | |", true],
    ["| A is so. B is so (not tested) | [one](../test/a.test.ts) |", false],
    ["| A is so | not tested |", false],
  ])("would find a sentence without a test: %s", (row, isFound) => {
    expect(isShort(row)).toBe(isFound);
  });

  it("names tests that exist, in their own words", () => {
    const missing = rows
      .flatMap(testsOf)
      .filter(({ title, path }) => texts.get(path)?.includes(title) !== true);
    expect(missing).toEqual([]);
  });
});
