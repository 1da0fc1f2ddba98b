/** The page docs/rules/README.md, which `npm run docs -- rules` writes. */
import { HEALTH_MUTANTS } from "#test/simulation/health/health-mutants.ts";
import { ALL_MUTANTS } from "#test/simulation/mutants/mutants.ts";
import { isFoundIn, labelsOf } from "./labels.ts";
import { repositoryFiles, type TextFile } from "./repository.ts";
import { complaintsOfCheckers, engineComments, titlesOfTests } from "./rule-citations.ts";

const MUTANTS = [...ALL_MUTANTS, ...HEALTH_MUTANTS];

const RULES = labelsOf("P");
const INVARIANTS = labelsOf("S");
const FILES_SHOWN_MAX = 5;
const PAGE = /^docs\/rules\/p\d[^/]*\.md$/;
const TITLE = /^# (P\d+) (.+)\n/;

export interface RulePage {
  readonly label: string;
  readonly name: string;
  readonly file: string;
}

/** One page for each rule, in the order of their numbers. */
export const rulePages = (files: readonly TextFile[]): readonly RulePage[] => {
  const pages = files
    .filter(({ path }) => PAGE.test(path))
    .map(({ path, text }) => {
      const [, label = "", name = ""] = TITLE.exec(text) ?? [];
      if (!RULES.includes(label)) {
        throw new Error(`${path}: its first line is not the title of a rule, as "# P1 Accept" is`);
      }
      return { label, name, path, file: path.replace("docs/rules/", "") };
    });
  return RULES.map((rule) => {
    const [page, ...others] = pages.filter(({ label }) => label === rule);
    if (page === undefined) throw new Error(`docs/rules: no page has the title "# ${rule} …"`);
    if (others.length > 0) {
      const paths = [page, ...others].map(({ path }) => path);
      throw new Error(`docs/rules: ${rule} has more than one page: ${paths.join(", ")}`);
    }
    return { label: rule, name: page.name, file: page.file };
  });
};

/** The files that cite a label, those that cite it most often first. */
export const filesCell = (citations: readonly TextFile[], label: string): string => {
  const counts = new Map<string, number>();
  for (const { path, text } of citations) {
    if (isFoundIn(text, label)) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  const shown = [...counts]
    .toSorted(([a, times], [b, others]) => others - times || (a < b ? -1 : 1))
    .map(([path, times]) => `[${path.split("/").at(-1)}](../../${path}) ${times}`);
  const more = shown.length - FILES_SHOWN_MAX;
  return `${shown.slice(0, FILES_SHOWN_MAX).join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
};

const row = (...cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const introduction = `# The rules of convergence

<!-- Made from the sources by \`npm run docs -- rules\`. Change those, and not this page. -->

For looking things up. The story, and what each word means, is in [convergence.md](../convergence.md).

- Each rule has a page: what it says, where it is, and what happens without it.
- [Invariants](invariants.md): what the checkers hold, after each step or at rest.
- [Step by step, beside Heat](beside-heat.md): each function beside the one of Heat.
- [Decisions, cases and traces](cases-and-traces.md): what Heat left open, its old faults, and what goes wrong without a rule.
- [Limits](limits.md): each number of the algorithm, and what it depends on.
- [Where the code differs from the checked model](model.md).
- [How it is proven](proof.md), and how to read the story of a simulated run.

Comments, titles of tests and mutants cite what they are about by a label. P3 is a rule, and P3.1 is a step of it. C, S and L are invariants, D is a decision and T a trace; a case is a fault that Heat had. \`grep -rn "P24" lib test\` finds every place that cites one.
`;

const rulesTable = (
  pages: readonly RulePage[],
  comments: readonly TextFile[],
  titles: readonly TextFile[],
): readonly string[] => [
  row("rule", "comments", "tests", "mutants"),
  row("---", "---", "---", "---"),
  ...pages.map(({ label, name, file }) =>
    row(
      `[${label} ${name}](${file})`,
      filesCell(comments, label),
      filesCell(titles, label),
      String(MUTANTS.filter(({ rule }) => isFoundIn(rule, label)).length),
    ),
  ),
];

const invariantsTable = (
  complaints: readonly TextFile[],
  titles: readonly TextFile[],
): readonly string[] => [
  row("invariant", "checkers", "tests"),
  row("---", "---", "---"),
  ...INVARIANTS.map((label) =>
    row(`[${label}](invariants.md)`, filesCell(complaints, label), filesCell(titles, label)),
  ),
];

export const rulesIndex = async (files: readonly TextFile[]): Promise<string> => {
  const pages = rulePages(files);
  const titles = await titlesOfTests(files);
  return [
    introduction,
    `## ${RULES.at(0)} to ${RULES.at(-1)}`,
    "",
    "The number beside a file counts its comments, or its titles of tests, that cite the rule. A mutant breaks the rule in a copy of the engine ([list](../../test/simulation/mutants/mutants.md); those of P27 are [beside its search](../../test/simulation/health/health-mutants.ts)).",
    "",
    ...rulesTable(pages, engineComments(files), titles),
    "",
    `## ${INVARIANTS.at(0)} to ${INVARIANTS.at(-1)}`,
    "",
    "A checker looks at each run of the simulation or the search, and its complaint begins with the label. Without a checker, an invariant is shown by cases only.",
    "",
    ...invariantsTable(complaintsOfCheckers(files), titles),
    "",
  ].join("\n");
};

export const ownRulesIndex = async (): Promise<string> => rulesIndex(repositoryFiles());
