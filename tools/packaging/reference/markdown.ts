/** A bar would end the cell, even inside code. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").trim();

export const table = (
  header: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] => {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line), ""];
};

export const code = (text: string): string => {
  if (!text.includes("`")) return `\`${text}\``;
  return `\`\` ${text} \`\``;
};

export const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

export const block = (...lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [...lines, ""];

export const page = (lines: readonly string[]): string => `${lines.join("\n").trimEnd()}\n`;

export interface Page {
  readonly name: string;
  readonly text: string;
}

export const GENERATED = [
  "<!-- Made from the sources by `npm run docs -- reference`. Change those, and not this page. -->",
];
