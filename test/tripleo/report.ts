import { type Judged, judge, type Played, type Rule } from "#test/oracles/known-differences.ts";

export interface Tally {
  unsent: number;
  sameVerdicts: number;
  readonly times: { readonly id: string; readonly ms: number }[];
}

export const newTally = (): Tally => ({ unsent: 0, sameVerdicts: 0, times: [] });

const TEXTS_OF_A_CAUSE_MAX = 2;
const SECOND_MS = 1_000;

const printCauses = ({ unexplained }: Judged, showsAll: boolean): void => {
  const byCause = Map.groupBy(unexplained, ({ cause }) => cause);
  const ranked = [...byCause].toSorted(([, left], [, right]) => right.length - left.length);
  for (const [cause, cases] of ranked) {
    console.log(`${String(cases.length).padStart(4)}  ${cause}`);
    const texts = showsAll ? cases : cases.slice(0, TEXTS_OF_A_CAUSE_MAX);
    for (const { text } of texts) console.log(`        ${text}`);
  }
};

const printTimes = ({ times }: Tally): void => {
  const total = times.reduce((sum, { ms }) => sum + ms, 0);
  const [slowest] = times.toSorted((left, right) => right.ms - left.ms);
  if (slowest === undefined) return;
  console.log(
    `Hearth takes ${(total / SECOND_MS).toFixed(1)} s for all, ` +
      `and at most ${(slowest.ms / SECOND_MS).toFixed(2)} s: ${slowest.id}`,
  );
};

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`;

export const report = (run: {
  readonly rules: readonly Rule[];
  readonly played: readonly Played[];
  readonly tally: Tally;
  readonly isComplete: boolean;
  readonly showsAll: boolean;
}): boolean => {
  const { rules, played, tally } = run;
  if (played.length === 0) throw new Error("no case has this text in its id");
  const judged = judge(rules, played, run.isComplete);
  printCauses(judged, run.showsAll);
  for (const text of judged.stale) console.log(`FAILED ${text}`);
  for (const [rule, count] of judged.known) console.log(`known difference ${rule}: ${count}`);
  const known = [...judged.known.values()].reduce((sum, count) => sum + count, 0);
  printTimes(tally);
  console.log(`${tally.unsent} requests are incomplete: Heat's client would not send them`);
  console.log(`equal verdicts: ${percent(tally.sameVerdicts, played.length)}`);
  console.log(
    `${played.length} cases: ${judged.equal} equal, ${known} known differences, ` +
      `${judged.unexplained.length} unexplained, ${judged.stale.length} no longer so`,
  );
  return judged.unexplained.length === 0 && judged.stale.length === 0;
};
