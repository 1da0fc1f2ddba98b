/** What an update would do, for people: pure functions from the answer to lines. */
import { CHANGE_SIGNS, operationWords, UNKNOWN_VALUE } from "#client/foreseen-words.ts";
import type { WireChange, WireChangedResource, WireChanges } from "#client/wire.ts";
import { oneLine, valueText } from "./print.ts";
import { cutTo, widthOf } from "./text-width.ts";

/** Columns, so that an older terminal shows a value in one line. */
const LINE_WIDTH_MAX = 80;

const cut = (line: string): string =>
  widthOf(line) <= LINE_WIDTH_MAX ? line : `${cutTo(line, LINE_WIDTH_MAX - 3)}...`;

/** In half of what a line has beside the name, so that both values can be seen. */
const shortValue = (value: unknown, room: number): string => {
  const text = value === null ? "none" : oneLine(JSON.stringify(value));
  return widthOf(text) <= room ? text : `${cutTo(text, Math.max(room - 3, 1))}...`;
};

const propertyLine = ({
  name,
  before,
  after,
  unknown,
}: WireChange["properties"][number]): string => {
  const start = `      ${oneLine(name)}: `;
  const room = Math.max(Math.floor((LINE_WIDTH_MAX - widthOf(start) - 4) / 2), 12);
  const next = unknown ? UNKNOWN_VALUE : shortValue(after, room);
  return cut(`${start}${shortValue(before, room)} -> ${next}`);
};

const operationLines = (change: WireChange): string[] => {
  const words = operationWords(change);
  return words === null ? [] : [cut(`      ${words}`)];
};

const resourceLines = (kind: string, resource: WireChangedResource): string[] => {
  const { resource_name: name, resource_type: type, change } = resource;
  const first = cut(
    `${CHANGE_SIGNS[kind] ?? " "} ${kind.padEnd(9)} ${oneLine(name)}  ${oneLine(type)}`,
  );
  if (change === undefined) return [first];
  return [
    first,
    ...(change.reason === null ? [] : [cut(`      because ${oneLine(change.reason)}`)]),
    ...(change.keeps_object ? ["      its object stays"] : []),
    ...operationLines(change),
    ...(kind === "added" ? [] : change.properties.map(propertyLine)),
  ];
};

type Changes = WireChanges["resource_changes"];

/** As in Heat, a nested stack that is only looked at is among the updated. */
const isReached = ({ change }: WireChangedResource): boolean => change?.visit === "reached";

/** What changes, by kind. */
export const changedKinds = (
  changes: Changes,
): readonly [string, readonly WireChangedResource[]][] =>
  Object.entries(changes)
    .filter(([kind]) => kind !== "unchanged")
    .map(([kind, resources]) => [kind, resources.filter((one) => !isReached(one))]);

const countsLine = (changes: Changes): string => {
  const counts = changedKinds(changes).flatMap(([kind, { length }]) =>
    length > 0 ? [`${length} ${kind}`] : [],
  );
  return counts.length === 0 ? "Nothing changes." : `${counts.join(", ")}.`;
};

/** Unchanged resources are counted, and shown if something goes on with them. */
export const previewLines = ({ resource_changes }: WireChanges): string[] => {
  const { unchanged = [] } = resource_changes;
  const busy = unchanged.filter(({ change }) => change !== undefined && change.operation !== null);
  const reached = Object.values(resource_changes).flat().filter(isReached);
  const rest = unchanged.length - unchanged.filter(isReached).length;
  return [
    ...changedKinds(resource_changes).flatMap(([kind, resources]) =>
      resources.flatMap((resource) => resourceLines(kind, resource)),
    ),
    ...busy.flatMap((resource) => resourceLines("unchanged", resource)),
    countsLine(resource_changes),
    ...(reached.length === 0 ? [] : [cut(`${reached.length} only looked at: ${names(reached)}`)]),
    ...(rest === 0 ? [] : [`${rest} not looked at.`]),
  ];
};

const names = (resources: readonly WireChangedResource[]): string =>
  resources.map(({ resource_name }) => oneLine(resource_name)).join(", ");

/** Whether the update would change anything, an operation that goes on included. */
export const hasChanges = ({ resource_changes }: WireChanges): boolean => {
  const { unchanged = [] } = resource_changes;
  return (
    changedKinds(resource_changes).some(([, { length }]) => length > 0) ||
    unchanged.some(({ change }) => change !== undefined && change.operation !== null)
  );
};

/** For the file of a plan. */
export const planText = (plan: unknown): string => `${valueText(plan)}\n`;
