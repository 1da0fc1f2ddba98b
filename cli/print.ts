/** Texts for people: pure functions from answers to lines. */
import type { Text, WireEvent, WireStack } from "#client/wire.ts";
import { withoutSignatures } from "./masked-urls.ts";
import { padTo, widthOf } from "./text-width.ts";

/** Characters that make a terminal show the others in another order. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Reasons contain output of scripts, which must neither break a line nor move the cursor. So
 * control characters become spaces.
 */
export const oneLine = (text: Text): string =>
  (text ?? "")
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(REORDERING, "")
    .trim();

/** The same for an error of several lines. */
export const printable = (text: string): string =>
  text.replace(/(?!\n)\p{Cc}/gu, " ").replace(REORDERING, "");

/** `2026-01-01T00:00:00Z [web] CREATE_COMPLETE  state changed`. `name` may be a path. */
export const eventLine = (event: WireEvent, name: string = event.resource_name): string => {
  const { event_time, resource_status, resource_status_reason } = event;
  const start = `${event_time} [${oneLine(name)}] ${resource_status}`;
  const reason = oneLine(resource_status_reason);
  return reason === "" ? start : `${start}  ${reason}`;
};

/** Pads columns to their widest cell, but not the last one. */
export const tableLines = (
  headers: readonly string[],
  rows: readonly (readonly Text[])[],
): string[] => {
  const cells = [headers, ...rows.map((row) => row.map(oneLine))];
  const widths = headers.map((_, column) =>
    cells.reduce((width, row) => Math.max(width, widthOf(row[column] ?? "")), 0),
  );
  return cells.map((row) =>
    row
      .map((cell, column) => padTo(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
};

/** A value for a shell script: texts bare, everything else as JSON. */
export const valueText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? null);

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2);

/** The stack as `stack show` and the end of a wait print it. */
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
      ["created", stack.creation_time],
      ["updated", stack.updated_time],
    ]),
    ...section("parameters", parameters.map(valueLine)),
    ...section(
      "outputs",
      (stack.outputs ?? []).map(({ output_key, output_error, output_value }) =>
        valueLine([output_key, output_error ? `error: ${output_error}` : output_value]),
      ),
    ),
  ];
};

/** Fields without a value are left out. */
export const fieldLines = (fields: readonly (readonly [string, Text])[]): string[] =>
  fields
    .filter(([, value]) => value)
    .map(([name, value]) => `${name.padEnd(12)} ${oneLine(value)}`);

export const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];

/** In an overview: a signed URL is shown where a user asks for it by name. */
export const valueLine = ([name, value]: readonly [string, unknown]): string =>
  `${name} = ${oneLine(withoutSignatures(valueText(value)))}`;

/** `7s`, `3m05s`, `2h10m`. */
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
