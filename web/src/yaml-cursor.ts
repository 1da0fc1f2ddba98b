/** Where the cursor stands in a template that is written in blocks, line by line. */

export interface Cursor {
  /** The keys around it, from the root. Lists have none. */
  readonly path: readonly string[];
  /** The key whose value is written. Null: a key or an item is. */
  readonly key: string | null;
  /** What stands before the cursor: of the value, or of the key. */
  readonly typed: string;
}

interface KeyLine {
  /** Its column, behind the dashes of a list. */
  readonly column: number;
  readonly key: string;
  readonly rest: string;
}

const KEY = /^(\s*(?:- +)*)(?:"([^"]+)"|'([^']+)'|([^\s#"'{[][^#"'{[]*?)):(?:\s+(.*))?$/;
const WORD = /^(\s*(?:- +)*)["']?([\w:.-]*)$/;

const keyLine = (line: string): KeyLine | null => {
  const [, start = "", double, single, plain, rest = ""] = KEY.exec(line) ?? [];
  const key = double ?? single ?? plain;
  return key === undefined ? null : { column: start.length, key, rest };
};

/** From the nearest key to the root. */
const keysAround = (lines: readonly string[], column: number): readonly string[] => {
  const keys: string[] = [];
  let inside = column;
  for (const line of lines.toReversed()) {
    if (inside === 0) break;
    const found = keyLine(line);
    if (found === null || found.column >= inside) continue;
    keys.push(found.key);
    inside = found.column;
  }
  return keys;
};

/** `before` is the text up to the cursor. Null: nothing is completed there. */
export const cursorIn = (before: string): Cursor | null => {
  const lines = before.split("\n");
  const line = lines.pop() ?? "";
  if (/^\s*#/.test(line)) return null;
  const value = keyLine(line);
  const [, start, word] = value === null ? (WORD.exec(line) ?? []) : [];
  const column = value?.column ?? start?.length;
  if (column === undefined) return null;
  const path = keysAround(lines, column).toReversed();
  return { path, key: value?.key ?? null, typed: value?.rest ?? word ?? "" };
};

/** The names in a section, such as the resources, each with its own lines. */
export const entriesOf = (
  text: string,
  section: string,
): ReadonlyMap<string, readonly string[]> => {
  const entries = new Map<string, string[]>();
  let isInside = false;
  let column: number | null = null;
  let own: string[] = [];
  for (const line of text.split("\n")) {
    const found = keyLine(line);
    if (found?.column === 0) isInside = found.key === section;
    else if (found !== null && isInside && found.column === (column ?? found.column)) {
      column = found.column;
      own = [];
      entries.set(found.key, own);
    } else if (isInside) own.push(line);
  }
  return entries;
};

/** The value of a key of an entry itself, and not of something in it. */
export const valueIn = (lines: readonly string[] | undefined, key: string): string | null => {
  const keys = (lines ?? []).flatMap((line) => keyLine(line) ?? []);
  const column = keys[0]?.column;
  const found = keys.find((one) => one.column === column && one.key === key);
  return found === undefined ? null : found.rest.trim().replace(/^(["'])(.*)\1$/, "$2");
};
