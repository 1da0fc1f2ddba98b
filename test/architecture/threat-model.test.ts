/** The threat model claims only what a test holds. A link's text is part of its test's file. */
import { describe, expect, it } from "vitest";
import { targetOf } from "./documents.ts";
import { repositoryFiles } from "./repository.ts";

const PAGE = "docs/security.md";
const CLAIMS_MIN = 30;
const LINK = /\[([^\]]+)\]\(([^)]+)\)/g;
const HEAD_OR_RULE = /\| (?:test|---) \|$/;

const texts = new Map(repositoryFiles().map(({ path, text }) => [path, text]));
const rows = (texts.get(PAGE) ?? "")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !HEAD_OR_RULE.test(line));

const testsOf = (row: string) =>
  [...row.matchAll(LINK)].flatMap(([, title = "", link = ""]) => {
    const { path } = targetOf(PAGE, link);
    return path.startsWith("test/") ? [{ title, path }] : [];
  });

/** The line of a backup refers to the page that its tests belong to. */
const REFERS: readonly string[] = ["| a backup |"];

describe("the threat model", () => {
  it("names a test for each claim", () => {
    expect(rows.length).toBeGreaterThan(CLAIMS_MIN);
    const bare = rows.filter(
      (row) => testsOf(row).length === 0 && !REFERS.some((start) => row.startsWith(start)),
    );
    expect(bare).toEqual([]);
  });

  it("names tests that exist, in their own words", () => {
    const missing = rows
      .flatMap(testsOf)
      .filter(({ title, path }) => texts.get(path)?.includes(title) !== true);
    expect(missing).toEqual([]);
  });
});
