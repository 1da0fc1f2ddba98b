/** What a program can check of the house style, over every file that is or could be committed. */
import { describe, expect, it } from "vitest";
import { repositoryFiles } from "./repository.ts";
import { brokenBy } from "./rule.ts";
import { parse, SYNTAX_RULES } from "./syntax-rules.ts";
import { TEXT_RULES } from "./text-rules.ts";

/** About 90 % of what there is: rules that see no files find nothing wrong. */
const SOURCES_MIN = 310;

const files = repositoryFiles();
const sources = files
  .filter(({ path }) => path.endsWith(".ts"))
  .map(({ path, text }) => parse(path, text));

describe("the repository", () => {
  it("is seen whole", () => {
    expect(sources.length).toBeGreaterThan(SOURCES_MIN);
    const paths = new Set(files.map(({ path }) => path));
    for (const path of ["lib/convergence/converger.ts", "package.json", "cli/hearth.ts"])
      expect(paths).toContain(path);
    for (const { appliesTo, name } of [...TEXT_RULES, ...SYNTAX_RULES])
      expect(files.filter(({ path }) => appliesTo(path)).length, name).toBeGreaterThan(0);
  });

  it.each(TEXT_RULES)("keeps this rule: $name", (rule) => {
    expect(brokenBy(rule, files)).toEqual([]);
  });

  it.each(SYNTAX_RULES)("keeps this rule: $name", (rule) => {
    expect(brokenBy(rule, sources)).toEqual([]);
  });
});
