import { readFileSync } from "node:fs";
import * as z from "zod";
import type { Difference } from "./play.ts";

const FILE = new URL("./known-differences.json", import.meta.url);

const Rule = z.strictObject({
  id: z.string().regex(/^[a-z][a-z-]+$/),
  what: z.string().min(1),
  reason: z.string().min(1),
  accepts: z.literal(true).optional(),
  cases: z.array(z.string()).min(1),
});
export type Rule = z.infer<typeof Rule>;

export const readRules = (file: URL = FILE): readonly Rule[] =>
  z.array(Rule).parse(JSON.parse(readFileSync(file, "utf8")));

export const repeatedCases = (rules: readonly Rule[]): readonly string[] => {
  const ids = rules.flatMap(({ cases }) => cases);
  return [...new Set(ids.filter((id, place) => ids.indexOf(id) !== place))];
};

export interface Played {
  readonly id: string;
  readonly difference: Difference | null;
}

export interface Judged {
  readonly equal: number;
  readonly known: ReadonlyMap<string, number>;
  readonly unexplained: readonly { readonly cause: string; readonly text: string }[];
  readonly stale: readonly string[];
}

/** With `all`, every case was played, so an id of the file without a case is stale. */
export const judge = (rules: readonly Rule[], played: readonly Played[], all: boolean): Judged => {
  const ruleOf = new Map(rules.flatMap((rule) => rule.cases.map((id) => [id, rule] as const)));
  const known = new Map<string, number>();
  const unexplained: { cause: string; text: string }[] = [];
  const stale: string[] = [];
  let equal = 0;
  for (const { id, difference } of played) {
    const rule = ruleOf.get(id);
    if (!difference) {
      equal += 1;
      if (rule) stale.push(`${id} no longer differs: remove it from ${rule.id}`);
    } else if (!rule) {
      unexplained.push({ cause: difference.cause, text: `${id}: ${difference.text}` });
    } else if (difference.accepts && !rule.accepts) {
      const text = `${id}: Heat refuses this, and ${rule.id} does not allow to accept it`;
      unexplained.push({ cause: `accepted under ${rule.id}`, text });
    } else known.set(rule.id, (known.get(rule.id) ?? 0) + 1);
  }
  const ids = new Set(played.map(({ id }) => id));
  const missing = all ? [...ruleOf].filter(([id]) => !ids.has(id)) : [];
  stale.push(...missing.map(([id, rule]) => `${id} is no case: remove it from ${rule.id}`));
  return { equal, known, unexplained, stale };
};
