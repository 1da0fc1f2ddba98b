import { isJsonObject, type Json, jsonEquals } from "#lib/json.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import { oneLine } from "./print.ts";
import { cutTo, widthOf } from "./text-width.ts";

type Value = Json | undefined;

export interface Difference {
  readonly path: string;
  readonly before: Value;
  readonly after: Value;
}

/** Other keys are quoted, because they could look like two keys. */
const PLAIN_KEY = /^[\p{L}\p{N}_:-]+$/u;

const below = (path: string, key: string): string =>
  PLAIN_KEY.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;

export const differencesIn = (path: string, before: Value, after: Value): readonly Difference[] => {
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

export const shownValues = (
  { before, after }: Pick<Difference, "before" | "after">,
  room: number,
): readonly [before: string, after: string] => {
  const [one, other] = [textOf(before), textOf(after)];
  const from = firstDifference(one, other);
  return [excerpt(one, from, room), excerpt(other, from, room)];
};
