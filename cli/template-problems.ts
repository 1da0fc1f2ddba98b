import type { Problem } from "#lib/authoring/find-problems.ts";
import { oneLine, printable } from "./print.ts";

const SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

const sentence = ({ message, suggestion }: Problem): string =>
  suggestion === null ? message : `${message.replace(/\.$/, "")}. Did you mean "${suggestion}"?`;

/**
 * Further lines of a message are indented, so that no name in it can forge the line of a problem.
 */
const indented = (text: string): string => printable(text).replace(/\n(?! )/g, "\n  ");

/** The form is that of compilers, such as `app.yaml:3:5: error: …`. */
export const problemLines = (problems: readonly Problem[]): readonly string[] =>
  problems.map((problem) => {
    const { file, place } = problem;
    const where = place === null ? file : `${file}:${place.line}:${place.column}`;
    return `${oneLine(where)}: error: ${indented(sentence(problem))}`;
  });

const region = ({ place }: Problem): object =>
  place === null ? {} : { region: { startLine: place.line, startColumn: place.column } };

/** Editors and code hosts show SARIF 2.1.0 beside the text. */
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
