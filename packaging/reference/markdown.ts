/** Pieces of a page in Markdown. */

/** A bar would end the cell, also in code. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").trim();

export const table = (
  header: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] => {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line), ""];
};

/** Code that may have backticks in it. */
export const code = (text: string): string => {
  if (!text.includes("`")) return `\`${text}\``;
  return `\`\` ${text} \`\``;
};

/** The anchor of a heading, as GitHub makes it. */
export const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** A text that ends as a sentence does. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Lines of one paragraph or block, and an empty line below. */
export const block = (...lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [...lines, ""];

/** One empty line between blocks, and a line break at the end. */
export const page = (lines: readonly string[]): string => `${lines.join("\n").trimEnd()}\n`;

export interface Page {
  /** The file's name in the folder of the reference. */
  readonly name: string;
  readonly text: string;
}

export const GENERATED = [
  "<!-- Made from the sources by `npm run docs -- reference`. Change those, and not this page. -->",
];
