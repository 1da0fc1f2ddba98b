import type picocolors from "picocolors";
import type { Text } from "#client/wire.ts";
import { ageText, cutTo, oneLine, padTo, widthOf, wrapTo } from "../print.ts";

export interface TreeRow {
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly reason: Text;
  /** When this status began, in milliseconds since 1970; null if unknown. */
  readonly since: number | null;
  /** True when the reason says why the row waits. The status is then that of its former action. */
  readonly waits?: boolean;
}

export interface ResourceRow extends TreeRow {
  readonly requiredBy: readonly string[];
}

export interface Screen {
  readonly width: number;
  readonly height: number;
  readonly now: number;
  readonly colors: Colors;
}

type Colors = ReturnType<typeof picocolors.createColors>;

/** A larger stack is shown as a list, because nobody reads a tree of that length. */
const TREE_RESOURCES_MAX = 300;
/** Below this level a long chain goes straight down, so that it stays on the screen. */
const TREE_LEVELS_MAX = 5;
const COLUMN_GAP = "  ";
const AGE_WIDTH = 6;
/** A reason that is cut to a few letters says nothing, so the types make room for it. */
const REASON_WIDTH_MIN = 24;
const CUT = "...";
const REASON_INDENT = "   ";
const REASON_LINES_MAX = 3;
/** On the narrowest screen the names must still differ. */
const NAME_WIDTH_MIN = 12;

/**
 * The stack itself is the first line. If rows do not fit, they are a list instead of a tree: those
 * that have failed first, then those that run, and a last line counts all of them.
 */
export const treeLines = (
  stack: TreeRow,
  resources: readonly ResourceRow[],
  screen: Screen,
): string[] => {
  const rows = [{ indent: "", row: stack }, ...branches(resources)];
  const { shown, hidden } = fitRows(rows, screen);
  const widths = fitColumns(shown, screen.width);
  const more =
    hidden === 0 ? [] : [screen.colors.dim(cutTo(countLine(resources, hidden), screen.width))];
  const spare = Math.max(0, screen.height - shown.length - more.length);
  const below = linesBelow(shown, widths, screen.width, spare);
  const lines = shown.flatMap((branch, at) => {
    const reason = below[at] ?? [];
    return [branchLine(branch, widths, screen, reason.length > 0), ...reason];
  });
  return [...lines, ...more];
};

const countLine = (resources: readonly ResourceRow[], hidden: number): string => {
  const counts = URGENCIES.map((urgency) => {
    const count = resources.filter((row) => urgencyOf(row) === urgency).length;
    return count === 0 ? [] : [`${count} ${urgency}`];
  });
  return `${resources.length} resources: ${counts.flat().join(", ")}; ${hidden} are not shown`;
};

const URGENCIES = ["failed", "running", "to come", "complete"] as const;
type Urgency = (typeof URGENCIES)[number];

const urgencyOf = ({ status, waits }: TreeRow): Urgency => {
  if (status.endsWith("_FAILED")) return "failed";
  if (waits === true || status.endsWith("_IN_PROGRESS")) return "running";
  return status.startsWith("INIT") ? "to come" : "complete";
};

const roomBeside = ({ name, type, status }: Widths, width: number): number => {
  const columns = [name, ...(type === null ? [] : [type]), status, AGE_WIDTH];
  return width - columns.reduce((sum, one) => sum + one + COLUMN_GAP.length, 0);
};

const isDone = (row: TreeRow): boolean => ["to come", "complete"].includes(urgencyOf(row));

const isTooLong = ({ row }: Branch, widths: Widths, width: number): boolean =>
  widthOf(oneLine(row.reason)) > Math.max(0, roomBeside(widths, width));

/**
 * A long reason has lines of its own: first one line for each waiting row, then more. The stack's
 * own reason comes last, because it is mostly that of a resource.
 */
const linesBelow = (
  shown: readonly Branch[],
  widths: Widths,
  width: number,
  spare: number,
): readonly (readonly string[])[] => {
  const isTold = (branch: Branch, at: number): boolean =>
    isTooLong(branch, widths, width) &&
    (at === 0 ? roomBeside(widths, width) >= 0 : !isDone(branch.row));
  const wrapped = shown.map((branch, at) => (isTold(branch, at) ? wrapReason(branch, width) : []));
  const given = wrapped.map(() => 0);
  let left = spare;
  const giveOne = (at: number): void => {
    const now = given[at] ?? 0;
    if (left === 0 || now >= Math.min(wrapped[at]?.length ?? 0, REASON_LINES_MAX)) return;
    given[at] = now + 1;
    left -= 1;
  };
  const waiting = [...shown.keys()].slice(1);
  for (let round = 0; round < REASON_LINES_MAX; round += 1) waiting.forEach(giveOne);
  for (let round = 0; round < REASON_LINES_MAX; round += 1) giveOne(0);
  return shown.map((branch, at) => reasonLines(branch, wrapped[at] ?? [], width, given[at] ?? 0));
};

const branchLine = (
  { indent, row }: Branch,
  widths: Widths,
  { width, now, colors }: Screen,
  isReasonBelow: boolean,
): string => {
  const name = padTo(cut(nameOf({ indent, row }), widths.name), widths.name);
  const age = (row.since === null ? "" : ageText(now - row.since)).padStart(AGE_WIDTH);
  const status = padTo(row.status, widths.status);
  const type = widths.type === null ? [] : [padTo(oneLine(row.type), widths.type)];
  const start = [name, ...type, status, age].join(COLUMN_GAP);
  // A wrapped line would spoil the redrawing of the lines below it.
  if (widthOf(start) > width) return cutTo(start, width);
  const painted = [
    name,
    ...type.map(colors.dim),
    paintStatus(row.status, colors)(status),
    colors.dim(age),
  ].join(COLUMN_GAP);
  const room = roomBeside(widths, width);
  if (isReasonBelow || room < 0) return painted.trimEnd();
  return `${painted}${COLUMN_GAP}${cutWords(oneLine(row.reason), room)}`.trimEnd();
};

const reasonStart = ({ indent }: Branch): string =>
  `${indent.replace("├─ ", "│  ").replace("└─ ", "   ")}${REASON_INDENT}`;

const wrapReason = (branch: Branch, width: number): readonly string[] => {
  const room = width - widthOf(reasonStart(branch));
  return room < REASON_WIDTH_MIN ? [] : wrapTo(oneLine(branch.row.reason), room);
};

const reasonLines = (
  branch: Branch,
  wrapped: readonly string[],
  width: number,
  lines: number,
): readonly string[] => {
  if (lines === 0) return [];
  const start = reasonStart(branch);
  const rest = wrapped.slice(lines - 1).join(" ");
  const last = cutWords(rest, width - widthOf(start));
  return [...wrapped.slice(0, lines - 1), last].map((line) => `${start}${line}`);
};

interface Widths {
  readonly name: number;
  readonly type: number | null;
  readonly status: number;
}

/** A narrow screen leaves out the types, then cuts long names, because the status matters most. */
const fitColumns = (shown: readonly Branch[], width: number): Widths => {
  const name = widest(shown.map(nameOf));
  const type = widest(shown.map(({ row }) => oneLine(row.type)));
  const status = widest(shown.map(({ row }) => row.status));
  const gap = COLUMN_GAP.length;
  const forName = width - gap - status - gap - AGE_WIDTH;
  const reason = widest(shown.map(({ row }) => oneLine(row.reason)));
  const forReason = reason === 0 ? 0 : gap + Math.min(reason, REASON_WIDTH_MIN);
  if (name + gap + type + forReason <= forName) return { name, type, status };
  return { name: Math.min(name, Math.max(forName, NAME_WIDTH_MIN)), type: null, status };
};

interface Branch {
  readonly indent: string;
  readonly row: TreeRow;
}

const nameOf = ({ indent, row }: Branch): string => `${indent}${oneLine(row.name)}`;

/** A resource is below the deepest resource that it requires, and so below what it waits for. */
const branches = (resources: readonly ResourceRow[]): Branch[] => {
  if (resources.length > TREE_RESOURCES_MAX) return resources.map((row) => ({ indent: "", row }));
  const places = placeRows(resources);
  const draw = (parent: string | null, indent: string): Branch[] => {
    const rows = places.filter((place) => place.parent === parent);
    return rows.flatMap(({ row }, index) => {
      const last = index === rows.length - 1;
      return [
        { indent: `${indent}${last ? "└─ " : "├─ "}`, row },
        ...draw(row.name, `${indent}${last ? "   " : "│  "}`),
      ];
    });
  };
  return draw(null, "");
};

interface TreePlace {
  readonly row: ResourceRow;
  readonly parent: string | null;
  readonly level: number;
}

const placeRows = (resources: readonly ResourceRow[]): TreePlace[] => {
  const places = new Map<string, TreePlace>();
  let waiting = [...resources];
  while (waiting.length > 0) {
    const ready = waiting.filter((row) => !waiting.some((other) => requires(row, other)));
    // Rows of an old and a new template can require each other, so that no row is ready.
    const round = ready.length > 0 ? ready : waiting;
    for (const row of round) {
      const requirements = [...places.values()].filter((place) => requires(row, place.row));
      places.set(row.name, placeUnder(requirements, places, row));
    }
    waiting = waiting.filter((row) => !round.includes(row));
  }
  return [...places.values()];
};

const requires = (row: ResourceRow, other: ResourceRow): boolean =>
  row !== other && other.requiredBy.includes(row.name);

const placeUnder = (
  requirements: readonly TreePlace[],
  places: ReadonlyMap<string, TreePlace>,
  row: ResourceRow,
): TreePlace => {
  const [first, ...others] = requirements;
  if (first === undefined) return { row, parent: null, level: 0 };
  const deepest = others.reduce((best, place) => (place.level > best.level ? place : best), first);
  const parent = deepest.level < TREE_LEVELS_MAX ? deepest : places.get(deepest.parent ?? "");
  return { row, parent: parent?.row.name ?? null, level: (parent?.level ?? -1) + 1 };
};

/** A waiting resource needs a second line for its cause. Completed rows make room for that line. */
const fitRows = (
  rows: readonly Branch[],
  { width, height }: Screen,
): { shown: Branch[]; hidden: number } => {
  const room = Math.max(1, height - 1);
  const widths = fitColumns(rows, width);
  const others = rows.slice(1);
  const causes = others.filter((one) => !isDone(one.row) && isTooLong(one, widths, width));
  if (rows.length + causes.length <= height) return { shown: [...rows], hidden: 0 };
  const done = others.filter(({ row }) => isDone(row)).length;
  // The line with the count needs a line too, so leaving out a single row gains nothing.
  if (done < 2 && rows.length <= height) return { shown: [...rows], hidden: 0 };
  const byUrgency = URGENCIES.flatMap((urgency) =>
    others.filter(({ row }) => urgencyOf(row) === urgency),
  );
  const kept = Math.max(others.length - done, room - 1 - causes.length);
  const listed = byUrgency.slice(0, kept).map(({ row }) => ({ indent: "", row }));
  const shown = [...rows.slice(0, 1), ...listed].slice(0, room);
  return { shown, hidden: rows.length - shown.length };
};

const widest = (texts: readonly string[]): number =>
  texts.reduce((width, text) => Math.max(width, widthOf(text)), 0);

const cut = (text: string, width: number): string =>
  widthOf(text) <= width
    ? text
    : cutTo(`${cutTo(text, Math.max(0, width - CUT.length))}${CUT}`, width);

/** Ends after a whole word where one fits. */
const cutWords = (text: string, width: number): string => {
  const [line = ""] = widthOf(text) <= width ? [text] : wrapTo(text, width - 1 - CUT.length);
  return line === text || widthOf(line) >= width ? cut(text, width) : cut(`${line} ${CUT}`, width);
};

const paintStatus = (status: string, colors: Colors): ((text: string) => string) => {
  if (status.endsWith("_FAILED")) return colors.red;
  if (status.endsWith("_IN_PROGRESS")) return colors.yellow;
  return status.startsWith("INIT") ? colors.dim : colors.green;
};
