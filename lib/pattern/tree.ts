/** A parsed regular expression. Flags are resolved, so that each part has one meaning. */
import type { CharacterSet, Folding } from "./characters.ts";

export interface Width {
  readonly min: number;
  readonly max: number;
}

/** `text_end_or_newline` is Python's `$`, which also matches before a newline at the end. */
export type Place =
  | "text_start"
  | "line_start"
  | "text_end"
  | "text_end_or_newline"
  | "line_end"
  | "word_edge"
  | "no_word_edge";

export type Greed = "greedy" | "lazy" | "possessive";

type Part =
  | { readonly kind: "character"; readonly set: CharacterSet }
  | { readonly kind: "place"; readonly place: Place; readonly isAscii: boolean }
  | { readonly kind: "sequence"; readonly items: readonly Tree[] }
  | { readonly kind: "choice"; readonly options: readonly Tree[] }
  | { readonly kind: "group"; readonly number: number; readonly body: Tree }
  | {
      readonly kind: "repeat";
      readonly times: Width;
      readonly greed: Greed;
      readonly body: Tree;
    }
  | { readonly kind: "atomic"; readonly body: Tree }
  | {
      readonly kind: "look";
      readonly isBehind: boolean;
      readonly isWanted: boolean;
      readonly body: Tree;
    }
  | { readonly kind: "reference"; readonly group: number; readonly folding: Folding }
  | {
      readonly kind: "conditional";
      readonly group: number;
      readonly yes: Tree;
      readonly no: Tree;
    };

export type Tree = Part & { readonly width: Width };

/** Python's number for no limit. As in Python, widths stop there too. */
export const REPETITIONS_MAX = 4_294_967_295;

const widthOf = (min: number, max: number): Width => ({
  min: Math.min(min, REPETITIONS_MAX - 1),
  max: Math.min(max, REPETITIONS_MAX),
});
const NOTHING = widthOf(0, 0);

export const character = (set: CharacterSet): Tree => ({
  kind: "character",
  set,
  width: widthOf(1, 1),
});

export const place = (at: Place, isAscii: boolean): Tree => ({
  kind: "place",
  place: at,
  isAscii,
  width: NOTHING,
});

export const sequence = (items: readonly Tree[]): Tree => {
  const [only] = items;
  if (only !== undefined && items.length === 1) return only;
  let [min, max] = [0, 0];
  for (const { width } of items) [min, max] = [min + width.min, max + width.max];
  return { kind: "sequence", items, width: widthOf(min, max) };
};

export const choice = (options: readonly Tree[]): Tree => {
  const [only] = options;
  if (only !== undefined && options.length === 1) return only;
  let [min, max] = [REPETITIONS_MAX, 0];
  for (const { width } of options) {
    [min, max] = [Math.min(min, width.min), Math.max(max, width.max)];
  }
  return { kind: "choice", options, width: widthOf(min, max) };
};

export const group = (number: number, body: Tree): Tree => ({
  kind: "group",
  number,
  body,
  width: body.width,
});

export const repeat = (times: Width, greed: Greed, body: Tree): Tree => ({
  kind: "repeat",
  times,
  greed,
  body,
  width: widthOf(times.min * body.width.min, times.max * body.width.max),
});

export const atomic = (body: Tree): Tree => ({ kind: "atomic", body, width: body.width });

export const look = (isBehind: boolean, isWanted: boolean, body: Tree): Tree => ({
  kind: "look",
  isBehind,
  isWanted,
  body,
  width: NOTHING,
});

export const reference = (number: number, folding: Folding, width: Width): Tree => ({
  kind: "reference",
  group: number,
  folding,
  width,
});

export const conditional = (number: number, yes: Tree, no: Tree): Tree => ({
  kind: "conditional",
  group: number,
  yes,
  no,
  width: choice([yes, no]).width,
});

export const partsOf = (part: Tree): readonly Tree[] => {
  if (part.kind === "sequence") return part.items;
  if (part.kind === "choice") return part.options;
  if (part.kind === "conditional") return [part.yes, part.no];
  return "body" in part ? [part.body] : [];
};
