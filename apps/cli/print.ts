import sliceAnsi from "slice-ansi";
import stringWidth from "string-width";
import { maskingReplacer, withoutSignatures } from "#client/masked-urls.ts";
import type { Output, Text, WireEvent, WireStack } from "#client/wire.ts";

/** These characters make a terminal show the others in another order. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Reasons contain output of scripts, which must neither break a line nor move the cursor. So
 * control characters become spaces. The signatures of URLs are masked.
 */
export const oneLine = (text: Text): string =>
  withoutSignatures(text ?? "")
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(REORDERING, "")
    .trim();

export const printable = (text: string): string =>
  withoutSignatures(text)
    .replace(/(?!\n)\p{Cc}/gu, " ")
    .replace(REORDERING, "");

const askedBy = (actor: Text): string => (actor ? ` (asked by ${oneLine(actor)})` : "");

/** An example is `2026-01-01T00:00:00Z [web] CREATE_COMPLETE  state changed`. */
export const eventLine = (event: WireEvent, name: string = event.resource_name): string => {
  const { event_time, resource_status, resource_status_reason, actor } = event;
  const start = `${event_time} [${oneLine(name)}] ${resource_status}`;
  const reason = `${oneLine(resource_status_reason)}${askedBy(actor)}`;
  return reason === "" ? start : `${start}  ${reason}`;
};

export const eventLines = (event: WireEvent, name: string, width: number): string[] =>
  hangingLines(eventLine(event, name), width);

/** Continues a line that is too long below itself, a little further to the right. */
export const hangingLines = (line: string, width: number): string[] => {
  if (widthOf(line) <= width) return [line];
  const [margin = ""] = /^ */.exec(line) ?? [];
  const indent = `${margin}${OWN_LINE_INDENT}`;
  const [first = "", ...below] = wrapTo(line.slice(margin.length), width - margin.length);
  const rest = below.length === 0 ? [] : wrapTo(below.join(" "), width - indent.length);
  return [`${margin}${first}`, ...rest.map((text) => `${indent}${text}`)];
};

/** A narrower column breaks each sentence into a tower of words. */
const LAST_COLUMN_WIDTH_MIN = 24;
const OWN_LINE_INDENT = "    ";

/**
 * Pads each column but the last to its widest cell. On a terminal of `width` columns a long last
 * cell continues below itself, or below its row if there is no room.
 */
export const tableLines = (
  headers: readonly string[],
  rows: readonly (readonly Text[])[],
  width = Number.POSITIVE_INFINITY,
): string[] => {
  const cells = [headers, ...rows.map((row) => row.map(oneLine))];
  const widths = headers.map((_, column) =>
    cells.reduce((widest, row) => Math.max(widest, widthOf(row[column] ?? "")), 0),
  );
  const start = widths.slice(0, -1).reduce((sum, one) => sum + one + COLUMN_GAP.length, 0);
  return cells.flatMap((row) => {
    const padded = row.map((cell, column) => padTo(cell, widths[column] ?? 0));
    const line = padded.join(COLUMN_GAP).trimEnd();
    if (widthOf(line) <= width) return [line];
    const before = padded.slice(0, -1).join(COLUMN_GAP).trimEnd();
    const last = row.at(-1) ?? "";
    if (width - start < LAST_COLUMN_WIDTH_MIN) {
      const below = wrapTo(last, width - OWN_LINE_INDENT.length);
      return [before, ...below.map((text) => `${OWN_LINE_INDENT}${text}`)];
    }
    const [first = "", ...below] = wrapTo(last, width - start);
    const indent = " ".repeat(start);
    return [`${padTo(before, start)}${first}`, ...below.map((text) => `${indent}${text}`)];
  });
};

const COLUMN_GAP = "  ";

/** Lines in a pipe are for programs, so they are not broken. */
export const terminalWidth = (): number =>
  process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;

/** A program's output must not control the terminal, nor show its characters in another order. */
export const shownText = (text: string, isTerminal: boolean): string =>
  isTerminal ? text.replaceAll(/[^\P{Cc}\n\t]/gu, "").replace(REORDERING, "") : text;

export const valueText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? null);

export const namedText = (value: unknown): string =>
  shownText(valueText(value), process.stdout.isTTY);

/** JSON escapes only the control characters of seven bits. */
const CONTROLS = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

const escaped = (json: string): string =>
  json.replace(CONTROLS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

export const jsonText = (value: unknown): string => escaped(JSON.stringify(value, null, 2));

export const maskedJsonText = (value: unknown, indent = 2): string =>
  escaped(JSON.stringify(value, maskingReplacer, indent));

export const stackLines = (stack: WireStack): string[] => {
  const parameters = Object.entries(stack.parameters ?? {}).filter(
    ([name]) => !name.startsWith("OS::"),
  );
  return [
    ...fieldLines([
      ["name", stack.stack_name],
      ["id", stack.id],
      ["description", stack.description],
      ["status", stack.stack_status],
      ["reason", stack.stack_status_reason],
      ["asked by", stack.actor],
      ["created", stack.creation_time],
      ["updated", stack.updated_time],
    ]),
    ...section("parameters", parameters.map(valueLine)),
    ...section("outputs", (stack.outputs ?? []).map(outputLine)),
  ];
};

export const outputLine = ({ output_key, output_error, output_value }: Output): string =>
  valueLine([output_key, output_error ? `error: ${output_error}` : output_value]);

const FIELD_WIDTH = 13;

export const fieldLines = (fields: readonly (readonly [string, Text])[]): string[] =>
  fields
    .filter(([, value]) => value)
    .flatMap(([name, value]) => {
      const [first = "", ...below] = wrapTo(oneLine(value), terminalWidth() - FIELD_WIDTH);
      const indent = " ".repeat(FIELD_WIDTH);
      return [
        `${name.padEnd(FIELD_WIDTH - 1)} ${first}`,
        ...below.map((text) => `${indent}${text}`),
      ];
    });

export const SECTION_INDENT = 2;

export const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0
    ? []
    : [`${title}:`, ...lines.map((line) => `${" ".repeat(SECTION_INDENT)}${line}`)];

/** The signatures of URLs are masked here. A user sees one by asking for the value by its name. */
export const valueLine = ([name, value]: readonly [string, unknown]): string =>
  `${oneLine(name)} = ${oneLine(valueText(value))}`;

export const ageText = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}s`;
  if (minutes < 60) return `${minutes}m${String(seconds % 60).padStart(2, "0")}s`;
  return `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, "0")}m`;
};

export const writeLines = (lines: readonly string[]): void => {
  if (lines.length > 0) process.stdout.write(`${lines.join("\n")}\n`);
};

/** Measures text in columns of a terminal. A line that wraps would spoil the live tree. */
export const widthOf = (text: string): number => stringWidth(text);

export const padTo = (text: string, width: number): string =>
  `${text}${" ".repeat(Math.max(0, width - widthOf(text)))}`;

export const cutTo = (text: string, width: number): string => sliceAnsi(text, 0, width);

export const wrapTo = (text: string, width: number): string[] => {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (widthOf(joined) <= width) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (width > 0 && widthOf(line) > width) {
      const start = cutTo(line, width);
      // The character is wider than the line.
      if (start === "") break;
      lines.push(start);
      line = line.slice(start.length);
    }
  }
  return [...lines, line];
};

/** The engine reads YAML 1.1, in which `yes` and `2021-04-16` are texts only in quotes. */
export const YAML = { version: "1.1", lineWidth: 0, aliasDuplicateObjects: false } as const;
