/**
 * docs/outside.md: each cell says what happens to a thing, and names tests by their letters or says
 * that there is none. Each letter is a test that exists, quoted word for word.
 */
import { describe, expect, it } from "vitest";
import { targetOf } from "./documents.ts";
import { repositoryFiles } from "./repository.ts";

const PAGE = "docs/outside.md";
const texts = new Map(repositoryFiles().map(({ path, text }) => [path, text]));

const THINGS_MIN = 12;
const EVENTS = 6;
const LETTERS = /\(([a-z]{1,2}(?:, [a-z]{1,2})*)\)/g;
const TEST_ROW = /^\| ([a-z]{1,2}) \| \[(.+)\]\((\S+)\) \|$/gm;

const [things = "", tests = ""] = (texts.get(PAGE) ?? "").split("## The tests");
const rows = things
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (?:what|---) \|/.test(line))
  .map((line) => line.slice(2, -2).split(" | "));

const lettersIn = (cell: string): readonly string[] =>
  [...cell.matchAll(LETTERS)].flatMap(([, letters = ""]) => letters.split(", "));

const isBare = (cell: string): boolean =>
  lettersIn(cell).length === 0 && !/\bnot tested$/.test(cell);

const listed = [...tests.matchAll(TEST_ROW)].map(([, letter = "", title = "", link = ""]) => ({
  letter,
  title,
  path: targetOf(PAGE, link).path,
}));

describe("what others remember of a host", () => {
  it("names a test in each cell, or says that there is none", () => {
    expect(rows.length).toBeGreaterThan(THINGS_MIN);
    expect(rows.filter((row) => row.length !== EVENTS + 1)).toEqual([]);
    expect(rows.flatMap(([, ...cells]) => cells.filter(isBare))).toEqual([]);
  });

  it.each([
    ["stay valid (h, j)", false],
    ["not tested", false],
    ["stay, not tested", false],
    ["stay valid", true],
    ["stay valid (of course)", true],
  ])("would find a cell without a test: %s", (cell, isFound) => {
    expect(isBare(cell)).toBe(isFound);
  });

  it("lists each test that it names, and no other", () => {
    const named = new Set(rows.flat().flatMap(lettersIn));
    const inOrder = [...named].toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
    expect(listed.map(({ letter }) => letter)).toEqual(inOrder);
  });

  it("names tests that exist, in their own words", () => {
    const missing = listed.filter(({ path, title }) => texts.get(path)?.includes(title) !== true);
    expect(missing).toEqual([]);
  });
});
