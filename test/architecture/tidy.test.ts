/** What a program can check of the house style, over every file that is or could be committed. */
import { describe, expect, it } from "vitest";
import { englishProblems } from "./english.ts";
import { commitSubjects, hasHistory, repositoryFiles } from "./repository.ts";
import { brokenBy } from "./rule.ts";
import { parse, SYNTAX_RULES } from "./syntax-rules.ts";
import { TEXT_RULES } from "./text-rules.ts";

const files = repositoryFiles();
const sources = files
  .filter(({ path }) => /\.tsx?$/.test(path))
  .map(({ path, text }) => parse(path, text));

describe("the repository", () => {
  it("is seen whole", () => {
    const paths = new Set(files.map(({ path }) => path));
    for (const path of ["lib/convergence/converger.ts", "package.json", "apps/cli/hearth.ts"])
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

  it("speaks plain English", () => {
    const problems = files
      .filter(({ path }) => /\.(tsx?|md)$/.test(path))
      .flatMap(({ path, text }) =>
        englishProblems(path, text).map(({ line, what }) => `${path}:${line} ${what}`),
      );
    expect(problems).toEqual([]);
  });
});

const LAST_FREE_COMMIT = "383d096b47";
const SUBJECT_CHARS_MAX = 72;
const FOLDER_OF_A_MACHINE = /(?:^|\s)\/\w|^Merge (?:remote-tracking )?branch\b/;

describe("the commits", () => {
  // A copy without history has no commits to look at. A shallow clone lacks the oldest ones.
  it.runIf(hasHistory)("have short subjects that name the topic", () => {
    const subjects = commitSubjects(LAST_FREE_COMMIT) ?? [];
    const wrong = subjects.filter(
      (subject) => subject.length > SUBJECT_CHARS_MAX || FOLDER_OF_A_MACHINE.test(subject),
    );
    expect(wrong).toEqual([]);
  });
});
