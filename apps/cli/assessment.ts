import type { AssessedResource, Assessment } from "#lib/authoring/assess.ts";
import { oneLine, printable, SECTION_INDENT, tableLines, terminalWidth } from "./print.ts";

export interface FileAssessment extends Assessment {
  readonly file: string;
}

export interface Totals {
  readonly runs: number;
  readonly ignores: number;
  readonly missing: number;
  readonly refused: number;
  readonly others: number;
}

export const totalsOf = (files: readonly FileAssessment[], others: number): Totals => {
  const count = (wanted: Assessment["status"]): number =>
    files.filter(({ status }) => status === wanted).length;
  return {
    runs: count("runs"),
    ignores: count("ignores"),
    missing: count("missing"),
    refused: count("refused"),
    others,
  };
};

const FILE_WORDS: Readonly<Record<Assessment["status"], string>> = {
  runs: "runs",
  ignores: "runs, and ignores some of it",
  missing: "cannot run",
  refused: "is refused",
};

const textOf = ({ status, ignored, instead, why }: AssessedResource): string => {
  if (status === "missing") return `missing: ${why}`;
  const names = Object.keys(ignored).join(", ");
  if (instead !== null) return `runs as ${instead}`;
  return names === "" ? "runs" : `runs, ignores ${names}`;
};

/** The table has no heading, because a heading would repeat with each file. */
const rowsOf = (columns: number, rows: readonly (readonly string[])[]): readonly string[] =>
  tableLines(
    Array.from({ length: columns }, () => ""),
    rows,
    terminalWidth() - SECTION_INDENT,
  ).slice(1);

const linesOf = ({ file, status, resources, warnings, error }: FileAssessment): string[] => {
  const rows = resources.map((one) => [one.name, one.type, textOf(one)]);
  const lines = [
    ...(error === null ? [] : printable(error).split("\n")),
    ...rowsOf(3, rows),
    ...warnings.map((warning) => `WARNING: ${oneLine(warning)}`),
  ];
  return [`${oneLine(file)}: ${FILE_WORDS[status]}`, ...lines.map((line) => `  ${line}`)];
};

const stoppingTypes = (files: readonly FileAssessment[]): readonly string[] => {
  const counts = new Map<string, number>();
  for (const { resources } of files) {
    const missing = resources.filter(({ status }) => status === "missing");
    for (const type of new Set(missing.map((one) => one.type))) {
      counts.set(type, (counts.get(type) ?? 0) + 1);
    }
  }
  const rows = [...counts]
    .sort(([left, few], [right, many]) => many - few || (left < right ? -1 : 1))
    .map(([type, count]) => [type, String(count)]);
  if (rows.length === 0) return [];
  return ["Missing, by templates:", ...rowsOf(2, rows).map((line) => `  ${line}`)];
};

export const assessmentLines = (
  environments: readonly string[],
  files: readonly FileAssessment[],
  { runs, ignores, missing, refused, others }: Totals,
): readonly string[] => [
  `Assessed with ${environments.join(", ")}`,
  "",
  ...files.flatMap((file) => [...linesOf(file), ""]),
  ...stoppingTypes(files),
  `Templates: ${files.length}. Run: ${runs}. Run and ignore some of it: ${ignores}. Cannot run: ${missing}. Refused: ${refused}.`,
  ...(others === 0 ? [] : [`Other files: ${others}.`]),
];
