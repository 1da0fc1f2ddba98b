import { CHANGE_SIGNS, operationWords, UNKNOWN_VALUE } from "#client/foreseen-words.ts";
import type {
  WireChange,
  WireChangedResource,
  WireChanges,
  WirePreview,
  WirePreviewed,
} from "#client/wire.ts";
import { isJsonObject, type Json, jsonEquals } from "#lib/json.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import { cutTo, oneLine, valueText, widthOf, wrapTo } from "../print.ts";

const INDENT = "      ";
const VALUE_WIDTH_MIN = 12;

const indented = (text: string, width: number): string[] =>
  wrapTo(text, width - INDENT.length).map((line) => `${INDENT}${line}`);

const ARROW = " -> ";

const differenceLines = (difference: Difference, width: number): string[] => {
  const name = `${oneLine(difference.path)}:`;
  const [before, after] = shownValues(difference, Number.POSITIVE_INFINITY);
  const whole = `${name} ${before}${ARROW}${after}`;
  if (INDENT.length + widthOf(whole) <= width) return [`${INDENT}${whole}`];
  const room = Math.max(width - INDENT.length * 2, VALUE_WIDTH_MIN);
  const [first, second] = shownValues(difference, room);
  return [
    ...indented(name, width),
    `${INDENT}${INDENT}${first}`,
    `${INDENT}${INDENT.slice(ARROW.length - 1)}${ARROW.trim()} ${second}`,
  ];
};

const propertyLines = (
  { name, before, after, unknown }: WireChange["properties"][number],
  width: number,
): string[] => {
  const [old, next] = [before ?? undefined, after ?? undefined];
  if (!unknown) {
    const parts = differencesIn(name, old, next);
    // Two different secrets are both redacted, and then show no difference.
    const all = parts.length === 0 ? [{ path: name, before: old, after: next }] : parts;
    return all.flatMap((one) => differenceLines(one, width));
  }
  const start = `${oneLine(name)}: `;
  const room = width - INDENT.length - widthOf(start) - ARROW.length - UNKNOWN_VALUE.length;
  const [shown] = shownValues({ before: old, after: old }, Math.max(room, VALUE_WIDTH_MIN));
  return [`${INDENT}${start}${shown}${ARROW}${UNKNOWN_VALUE}`];
};

const resourceLines = (kind: string, resource: WireChangedResource, width: number): string[] => {
  const { resource_name: name, resource_type: type, change } = resource;
  const first = `${CHANGE_SIGNS[kind] ?? " "} ${kind.padEnd(9)} ${oneLine(name)}  ${oneLine(type)}`;
  if (change === undefined) return [first];
  const operation = operationWords(change);
  return [
    first,
    ...(change.reason === null ? [] : indented(`because ${oneLine(change.reason)}`, width)),
    ...(change.keeps_object ? [`${INDENT}its object stays`] : []),
    ...(operation === null ? [] : indented(oneLine(operation), width)),
    ...(kind === "added" ? [] : change.properties.flatMap((one) => propertyLines(one, width))),
  ];
};

type Changes = WireChanges["resource_changes"];

/** As in Heat, a nested stack that is only visited counts as updated. */
const isReached = ({ change }: WireChangedResource): boolean => change?.visit === "reached";

export const changedKinds = (
  changes: Changes,
): readonly [string, readonly WireChangedResource[]][] =>
  Object.entries(changes)
    .filter(([kind]) => kind !== "unchanged")
    .map(([kind, resources]) => [kind, resources.filter((one) => !isReached(one))]);

const countsLine = (changes: Changes): string | null => {
  const counts = changedKinds(changes).flatMap(([kind, { length }]) =>
    length > 0 ? [`${length} ${kind}`] : [],
  );
  return counts.length === 0 ? null : `${counts.join(", ")}.`;
};

const outputLines = ({ output_changes: outputs = [] }: WireChanges): string[] =>
  outputs.map(
    ({ output_key, change }) =>
      `${CHANGE_SIGNS[change] ?? " "} ${change.padEnd(9)} the output ${oneLine(output_key)}`,
  );

/** The value of a hidden parameter is in no answer. */
const parameterLines = (
  { parameter_changes: parameters = [] }: WireChanges,
  width: number,
): string[] =>
  parameters.flatMap(({ parameter_name: name, change, before, after, falls_back: fallsBack }) => {
    const start = `${CHANGE_SIGNS[change] ?? " "} ${change.padEnd(9)} the parameter ${oneLine(name)}`;
    const end = fallsBack ? " (its default)" : "";
    if (before === undefined && after === undefined) return [`${start}${end}`];
    const whole = shownValues({ before, after }, Number.POSITIVE_INFINITY);
    const line = `${start}: ${whole.join(ARROW)}${end}`;
    if (widthOf(line) <= width) return [line];
    return [`${start}${end}`, ...differenceLines({ path: name, before, after }, width)];
  });

/**
 * Unchanged resources are counted, and shown if an operation on them goes on. Long values are cut
 * to a terminal of `width` columns; in a pipe they are whole.
 */
export const previewLines = (answer: WireChanges, width: number): string[] => {
  const { resource_changes } = answer;
  const { unchanged = [] } = resource_changes;
  const busy = unchanged.filter(({ change }) => change !== undefined && change.operation !== null);
  const reached = Object.values(resource_changes).flat().filter(isReached);
  const others = [...parameterLines(answer, width), ...outputLines(answer)];
  const rest = unchanged.length - unchanged.filter(isReached).length;
  return [
    ...changedKinds(resource_changes).flatMap(([kind, resources]) =>
      resources.flatMap((resource) => resourceLines(kind, resource, width)),
    ),
    ...busy.flatMap((resource) => resourceLines("unchanged", resource, width)),
    ...others,
    countsLine(resource_changes) ??
      (others.length === 0 ? "Nothing changes." : "No resource changes."),
    ...(reached.length === 0
      ? []
      : wrapTo(`${reached.length} checked, unchanged: ${names(reached)}`, width)),
    ...(rest === 0 ? [] : [`${rest} not visited.`]),
    ...(answer.warnings ?? []).flatMap((one) => wrapTo(`WARNING: ${oneLine(one)}`, width)),
  ];
};

const flat = (previewed: WirePreviewed): readonly Exclude<WirePreviewed, WirePreviewed[]>[] =>
  Array.isArray(previewed) ? previewed.flatMap(flat) : [previewed];

/** What a create would make: `group/0` is a member of `group`. */
export const additionLines = ({ resources }: WirePreview, width: number): string[] => {
  const types = resources.flatMap(flat).flatMap(({ parents = [], ...last }) =>
    [...parents, last].map(({ resource_type }, at, all) => {
      const path = all.slice(0, at + 1).map(({ resource_name }) => resource_name);
      return [path.join("/"), resource_type] as const;
    }),
  );
  const added = [...new Map(types)].map(([resource_name, resource_type]) => ({
    resource_name,
    resource_type,
  }));
  return previewLines({ resource_changes: { added } }, width);
};

const names = (resources: readonly WireChangedResource[]): string =>
  resources.map(({ resource_name }) => oneLine(resource_name)).join(", ");

/** Changes of parameters and outputs, and operations that go on, count too. */
export const hasChanges = ({
  resource_changes,
  output_changes = [],
  parameter_changes = [],
}: WireChanges): boolean => {
  const { unchanged = [] } = resource_changes;
  return (
    parameter_changes.length > 0 ||
    output_changes.length > 0 ||
    changedKinds(resource_changes).some(([, { length }]) => length > 0) ||
    unchanged.some(({ change }) => change !== undefined && change.operation !== null)
  );
};

export const planText = (plan: unknown): string => `${valueText(plan)}\n`;

type Value = Json | undefined;

interface Difference {
  readonly path: string;
  readonly before: Value;
  readonly after: Value;
}

/** Other keys are quoted, because they could look like two keys. */
const PLAIN_KEY = /^[\p{L}\p{N}_:-]+$/u;

const below = (path: string, key: string): string =>
  PLAIN_KEY.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;

const differencesIn = (path: string, before: Value, after: Value): readonly Difference[] => {
  if (before === undefined || after === undefined) return [{ path, before, after }];
  if (jsonEquals(before, after)) return [];
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) =>
      differencesIn(below(path, key), member(before, key), member(after, key)),
    );
  }
  if (isJsonArray(before) && isJsonArray(after) && before.length === after.length) {
    return before.flatMap((one, at) => differencesIn(`${path}[${at}]`, one, after[at]));
  }
  return [{ path, before, after }];
};

const textOf = (value: Value): string =>
  value === undefined ? "none" : oneLine(JSON.stringify(value));

const ELLIPSIS = "...";
const LEAD_CHARS = 12;

const firstDifference = (one: string, other: string): number => {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
};

/** A text that does not fit starts shortly before its difference. */
const excerpt = (text: string, from: number, room: number): string => {
  if (widthOf(text) <= room) return text;
  const start = from + LEAD_CHARS < room ? 0 : Math.max(0, from - LEAD_CHARS);
  // The cut may leave half of a surrogate pair.
  const rest = text.slice(start).replace(/^[\udc00-\udfff]/, "");
  const shown = start === 0 ? rest : `${ELLIPSIS}${rest}`;
  if (widthOf(shown) <= room) return shown;
  return `${cutTo(shown, Math.max(room - ELLIPSIS.length, 1))}${ELLIPSIS}`;
};

const shownValues = (
  { before, after }: Pick<Difference, "before" | "after">,
  room: number,
): readonly [before: string, after: string] => {
  const [one, other] = [textOf(before), textOf(after)];
  const from = firstDifference(one, other);
  return [excerpt(one, from, room), excerpt(other, from, room)];
};
