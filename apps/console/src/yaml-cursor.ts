/** Finds out where the cursor is in a template in block style, line by line. */

export interface Cursor {
  /** The keys around the cursor, from the root. Lists have no key. */
  readonly path: readonly string[];
  /** The key whose value is being typed; null while a key or an item is typed. */
  readonly key: string | null;
  readonly typed: string;
}

interface KeyLine {
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

/** @returns null when nothing can be completed after the text `before`. */
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

/** Reads only the entry's own keys, and not those of nested maps. */
export const valueIn = (lines: readonly string[] | undefined, key: string): string | null => {
  const keys = (lines ?? []).flatMap((line) => keyLine(line) ?? []);
  const column = keys[0]?.column;
  const found = keys.find((one) => one.column === column && one.key === key);
  return found === undefined ? null : found.rest.trim().replace(/^(["'])(.*)\1$/, "$2");
};
