import { CHANGE_SIGNS, operationWords, UNKNOWN_VALUE } from "#client/foreseen-words.ts";
import type { WireChange } from "#client/wire.ts";
import { type Drawn, edgesOf, type Fold, type Look, type Mark, plainNode } from "./graph-model.ts";
import { valueText } from "./stack-data.ts";
import type { Tone } from "./status.ts";

export interface Change {
  readonly kind: string;
  /** Unique. The name of a resource of a nested stack is its path. */
  readonly name: string;
  readonly type: string;
  readonly requiredBy: readonly string[];
  readonly parent: string | null;
  readonly detail: WireChange | null;
}

export interface Foreseen {
  readonly changes: readonly Change[];
  readonly warnings: readonly string[];
}

export type Sort = "deleted" | "replaced" | "added" | "updated" | "reached" | "untouched";

const SORTS: Readonly<Record<string, Sort>> = {
  deleted: "deleted",
  replaced: "replaced",
  added: "added",
  updated: "updated",
};

/** A kind that a newer server adds counts as a change. */
export const sortOf = ({ kind, detail }: Change): Sort => {
  // As in Heat, a nested stack that is only visited is among the updated.
  if (detail?.visit === "reached") return "reached";
  if (kind === "unchanged") return "untouched";
  return SORTS[kind] ?? "updated";
};

export const SORT_WORDS: Readonly<Record<Sort, string>> = {
  deleted: "removed",
  replaced: "replaced",
  added: "added",
  updated: "changed",
  reached: "checked and unchanged",
  untouched: "not visited",
};

export const SORT_TONES: Readonly<Record<Sort, Tone>> = {
  deleted: "bad",
  replaced: "warn",
  added: "good",
  updated: "busy",
  reached: "quiet",
  untouched: "faint",
};

export const SORT_SIGNS: Readonly<Record<Sort, string>> = {
  deleted: "\u2212",
  replaced: CHANGE_SIGNS["replaced"] ?? "",
  added: CHANGE_SIGNS["added"] ?? "",
  updated: CHANGE_SIGNS["updated"] ?? "",
  reached: "\u25cb",
  untouched: "\u00b7",
};

export const ENDED_SIGN = "\u21af";
export const AWAITED_SIGN = "\u25f7";

const markOf = ({ detail }: Change): Mark | null => {
  const words = detail === null ? null : operationWords(detail);
  if (words === null) return null;
  const sign = detail?.operation?.fate === "awaited" ? AWAITED_SIGN : ENDED_SIGN;
  return { sign, words, isOutlined: true };
};

const lookOf = (change: Change): Look => {
  const sort = sortOf(change);
  const mark = markOf(change);
  return {
    tone: SORT_TONES[sort],
    sign: SORT_SIGNS[sort],
    words: SORT_WORDS[sort],
    marks: mark === null ? [] : [mark],
  };
};

export const foreseenGraph = (changes: readonly Change[]): Drawn => {
  const wire = changes.map(({ name, requiredBy }) => ({
    resource_name: name,
    required_by: [...requiredBy],
  }));
  const edges = edgesOf(wire);
  const members = Map.groupBy(changes, ({ parent }) => parent);
  return new Map(
    changes.map((change) => {
      const { name, type, requiredBy, parent } = change;
      const around = edges({ resource_name: name, required_by: [...requiredBy] });
      const fold = foldOf(change, members.get(name) ?? []);
      const own = parent === null ? name : name.slice(parent.length + 1);
      const node = { ...plainNode(name, type, lookOf(change)), name: own, parent, fold };
      return [name, { ...node, ...around }];
    }),
  );
};

/** A preview shows nested resources inside their node, so no node is folded. */
const foldOf = ({ type }: Change, members: readonly Change[]): Fold | null =>
  members.length === 0
    ? null
    : {
        isOpen: true,
        caption: type,
        counts: new Map(
          [...Map.groupBy(members, (one) => SORT_TONES[sortOf(one)])].map(([tone, some]) => [
            tone,
            some.length,
          ]),
        ),
      };

export const reasonsOf = (change: Change): readonly string[] => {
  const { detail } = change;
  if (detail === null) return [];
  const mark = markOf(change);
  return [
    ...(detail.reason === null ? [] : [`because ${detail.reason}`]),
    ...(detail.keeps_object ? ["its object stays"] : []),
    ...(mark === null ? [] : [`${mark.sign} ${mark.words}`]),
  ];
};

export interface Difference {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

const shown = (value: unknown): string | null =>
  value === null || value === undefined ? null : valueText(value);

export const differencesOf = ({ detail }: Change): readonly Difference[] =>
  (detail?.properties ?? []).map(({ name, before, after, unknown }) => ({
    name,
    before: shown(before),
    after: unknown ? UNKNOWN_VALUE : shown(after),
  }));
