/** docs/rules/README.md is what `npm run docs -- rules` writes, and says what the sources say. */
import { describe, expect, it } from "vitest";
import { citedBy, labelsOf } from "./labels.ts";
import { repositoryFiles, type TextFile } from "./repository.ts";
import { filesCell, rulePages, rulesIndex } from "./rules-index.ts";

const files = repositoryFiles();
const sources = files.filter(({ path }) => !path.startsWith("docs/rules/"));

const pageOf = (rule: string, path = `docs/rules/${rule.toLowerCase()}-one.md`): TextFile => ({
  path,
  text: `# ${rule} Name of ${rule}\n\nText.\n`,
});
const PAGES = labelsOf("P").map((rule) => pageOf(rule));

describe("the index of the rules", () => {
  it("is what `npm run docs -- rules` writes", async () => {
    const page = files.find(({ path }) => path === "docs/rules/README.md");
    expect(page?.text).toBe(await rulesIndex(files));
  });

  it("has for each rule a comment of the engine and a test, and for each invariant a test", async () => {
    const rows = (await rulesIndex([...sources, ...PAGES]))
      .split("\n")
      .filter((line) => /^\| \[[PS]\d/.test(line))
      .map((line) => line.split("|").map((cell) => cell.trim()));
    expect(rows).toHaveLength(PAGES.length + labelsOf("S").length);
    const bare = rows.filter(([, label = "", found, tests]) =>
      label.startsWith("[P") ? found === "" || tests === "" : tests === "",
    );
    expect(bare).toEqual([]);
    const columns = rows.map(([, label = "", checkers = ""]) => `${label} ${checkers}`);
    expect(columns).toContainEqual(
      expect.stringMatching(/^\[P24 Name of P24\]\(p24-one\.md\) .*, and \d+ more$/),
    );
    expect(columns).toContainEqual(
      expect.stringMatching(/^\[S4\].*\]\(\.\.\/\.\.\/test\/simulation\/world\/checkers\.ts\) \d/),
    );
  });

  it.each([
    ["no page", PAGES.slice(1), /no page has the title "# P1 …"/],
    [
      "two pages",
      [...PAGES, pageOf("P7", "docs/rules/p07-two.md")],
      /P7 has more than one page: docs\/rules\/p7-one\.md, docs\/rules\/p07-two\.md/,
    ],
    ["a rule that is unknown", [...PAGES, pageOf("P28")], /p28-one\.md: its first line is not/],
    [
      "a page without a title",
      [...PAGES, { path: "docs/rules/p1-two.md", text: "**P1 Accept.**\n" }],
      /p1-two\.md: its first line is not/,
    ],
  ])("is refused with %s", (_, pages, complaint) => {
    expect(() => rulePages(pages)).toThrow(complaint);
  });

  it("leaves pages alone that are no rules", () => {
    const others = ["proof.md", "README.md"].map((name) => ({
      path: `docs/rules/${name}`,
      text: "# P1\n",
    }));
    expect(rulePages([...others, ...PAGES.toReversed()]).map(({ label }) => label)).toEqual(
      labelsOf("P"),
    );
  });
});

describe("the files that cite a label", () => {
  const cited = (path: string, ...texts: readonly string[]): readonly TextFile[] =>
    texts.map((text) => ({ path, text }));

  it("come with counts, the most frequent first", () => {
    const citations = [
      ...cited("lib/a.ts", "P3", "P30", "XP3"),
      ...cited("lib/b/c.ts", "P3.1 P3", "P2, P3"),
    ];
    expect(filesCell(citations, "P3")).toBe("[c.ts](../../lib/b/c.ts) 2, [a.ts](../../lib/a.ts) 1");
    expect(filesCell(citations, "P4")).toBe("");
  });

  it("are at most five", () => {
    const citations = [..."gfedcba"].flatMap((name) => cited(`${name}.ts`, "P3"));
    const five = [..."abcde"].map((name) => `[${name}.ts](../../${name}.ts) 1`).join(", ");
    expect(filesCell(citations, "P3")).toBe(`${five}, and 2 more`);
    expect(filesCell(citations.slice(2), "P3")).toBe(five);
  });

  it.each([
    ["P3.1, S3, T8: a visit", "P3.1, S3, T8"],
    ["case 9: a visit", "case 9"],
    ["the kept lease (P26)", "(P26)"],
    ["sealed texts in S3, and more: all", ""],
  ])("are found by what begins a title or is in brackets: %s", (title, labels) => {
    expect(citedBy(title)).toBe(labels);
  });
});
