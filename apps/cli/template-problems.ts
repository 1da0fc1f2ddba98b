import type { Problem } from "#lib/authoring/find-problems.ts";
import { oneLine, printable } from "./print.ts";

const SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

const sentence = ({ message, suggestion }: Problem): string =>
  suggestion === null ? message : `${message.replace(/\.$/, "")}. Did you mean "${suggestion}"?`;

/** Further lines are indented, so that no name in a message can forge a problem's line. */
const indented = (text: string): string => printable(text).replace(/\n(?! )/g, "\n  ");

export const problemLines = (problems: readonly Problem[]): readonly string[] =>
  problems.map((problem) => {
    const { file, place } = problem;
    const where = place === null ? file : `${file}:${place.line}:${place.column}`;
    return `${oneLine(where)}: error: ${indented(sentence(problem))}`;
  });

const region = ({ place }: Problem): object =>
  place === null ? {} : { region: { startLine: place.line, startColumn: place.column } };

export const sarifLog = (problems: readonly Problem[], version: string): object => ({
  $schema: SARIF_SCHEMA,
  version: "2.1.0",
  runs: [
    {
      tool: {
        driver: {
          name: "hearth",
          version,
          rules: [...new Set(problems.map(({ code }) => code))].map((id) => ({ id })),
        },
      },
      columnKind: "unicodeCodePoints",
      results: problems.map((problem) => ({
        ruleId: problem.code,
        level: "error",
        message: { text: sentence(problem) },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: problem.file.split("/").map(encodeURIComponent).join("/") },
              ...region(problem),
            },
          },
        ],
      })),
    },
  ],
});
