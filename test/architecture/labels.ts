/** The labels of the reference of convergence, by which comments, titles and mutants cite it. */

/** Each kind with its last number. */
export const LABELS = [
  ["C", 5],
  ["P", 27],
  ["S", 40],
  ["L", 11],
  ["D", 12],
  ["T", 101],
  ["case ", 19],
] as const;

type Kind = (typeof LABELS)[number][0];

export const upTo = (kind: string, last: number): readonly string[] =>
  Array.from({ length: last }, (_, at) => `${kind}${at + 1}`);

export const labelsOf = (kind: Kind): readonly string[] =>
  LABELS.filter(([one]) => one === kind).flatMap(([, last]) => upTo(kind, last));

/** A step of a rule, such as P3.1, cites the rule. */
export const isFoundIn = (text: string, label: string): boolean =>
  new RegExp(`(?<![\\w.])${label}(?!\\w)`).test(text);

const HEAD = /^(?:[A-Z]|case )\d[^:]*(?=:)|\((?:[A-Z]|case )\d[^()]*\)/g;

/** What a title cites is before its colon or in brackets. Elsewhere S3 is Amazon's service. */
export const citedBy = (title: string): string => (title.match(HEAD) ?? []).join(" ");
