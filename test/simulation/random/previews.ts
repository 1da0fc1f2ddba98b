/**
 * `npm run lane -- previews CASES [SEED]` makes random runs until CASES previews were compared with
 * the visits of their updates, and prints the counts.
 */

import * as z from "zod";
import type { PreviewCounts } from "../world/preview-check.ts";
import { RandomRun } from "./random-run.ts";

export interface PreviewTotals extends Omit<PreviewCounts, "different"> {
  runs: number;
  readonly different: string[];
}

const SHARE_MIN = 0.8;

const NESTED_EVERY = 5;

export const comparePreviews = async (
  cases: number,
  firstSeed = 1,
  differentMax = Number.POSITIVE_INFINITY,
): Promise<PreviewTotals> => {
  const totals: PreviewTotals = {
    runs: 0,
    cases: 0,
    graphs: 0,
    comparable: 0,
    moved: 0,
    underWay: 0,
    followed: 0,
    different: [],
  };
  const isEnough = (): boolean => totals.cases >= cases || totals.different.length >= differentMax;
  for (let seed = firstSeed; !isEnough(); seed++) {
    const nested = seed % NESTED_EVERY === 0;
    const { failure, previews } = await new RandomRun(seed, { nested, previews: true }).run();
    totals.runs++;
    if (failure !== null) totals.different.push(`seed ${seed}: ${failure}`);
    if (previews === null) continue;
    totals.cases += previews.cases;
    totals.graphs += previews.graphs;
    totals.comparable += previews.comparable;
    totals.moved += previews.moved;
    totals.underWay += previews.underWay;
    totals.followed += previews.followed;
    totals.different.push(...previews.different.map((one) => `seed ${seed}: ${one}`));
  }
  return totals;
};

const comparableShare = ({ comparable, moved }: PreviewTotals): number =>
  comparable / Math.max(comparable + moved, 1);

export const previewFault = (totals: PreviewTotals): string | null => {
  const [first] = totals.different;
  if (first !== undefined) return first;
  if (comparableShare(totals) < SHARE_MIN) return "too few visits can be compared";
  return totals.underWay === 0 ? "no end of an operation was foreseen" : null;
};

const DIFFERENT_SHOWN_MAX = 20;

if (import.meta.main) {
  const Numbers = z.tuple([z.coerce.number().int().min(1), z.coerce.number().int().min(0)]);
  const [givenCases = "10000", givenSeed = "1"] = process.argv.slice(2);
  const [cases, seed] = Numbers.parse([givenCases, givenSeed]);
  const totals = await comparePreviews(cases, seed);
  const { different, ...counts } = totals;
  const share = comparableShare(totals);
  for (const one of different.slice(0, DIFFERENT_SHOWN_MAX)) console.log(one);
  const told = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  const percent = Math.floor(share * 1_000) / 10;
  console.log(`${told.join(", ")}; ${percent} % comparable, ${different.length} different`);
  process.exitCode = previewFault(totals) === null ? 0 : 1;
}
