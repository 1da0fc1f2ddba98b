import { ALL_DIRECTED } from "../directed/all.ts";
import type { Case } from "../directed/case.ts";
import { comparePreviews, previewFault } from "../random/previews.ts";
import { RandomRun } from "../random/random-run.ts";
import { brokenBound, storm } from "../random/storm.ts";
import { PREVIEW } from "./preview-mutants.ts";

const PREVIEW_CASES = 400;
const STORM_RESOURCES = 100;
const NESTED_EVERY = 4;

const labelsOf = (text: string): ReadonlySet<string> =>
  new Set(text.match(/\b(?:[PSLDT]\d+(?:\.\d+)?|ADR \d+)\b/g));

/** Cases that share the most labels with the rule come first, because they find most mutants. */
const likeliestFirst = (rule: string): readonly Case[] => {
  const wanted = labelsOf(rule);
  const sharedBy = ({ title }: Case): number =>
    [...labelsOf(title)].filter((label) => wanted.has(label)).length;
  return ALL_DIRECTED.toSorted((one, other) => sharedBy(other) - sharedBy(one));
};

const failureOfCase = async ({ title, run }: Case): Promise<string | null> => {
  try {
    await run();
    return null;
  } catch (error) {
    return `"${title}": ${error instanceof Error ? error.message : String(error)}`;
  }
};

const failureOfSeed = async (seed: number, nested: boolean): Promise<string | null> => {
  const { failure } = await new RandomRun(seed, { nested }).run();
  return failure && `${nested ? "nested seed" : "seed"} ${seed}: ${failure.split("\n")[0]}`;
};

/** What found the mutant before most likely fails again, and saves the rest of the hunt. */
const failureOfFormer = async (former: string): Promise<string | null> => {
  const found = ALL_DIRECTED.find(({ title }) => former.startsWith(`"${title}":`));
  if (found !== undefined) return failureOfCase(found);
  const [, nested, seed] = /^(nested )?seed (\d+):/.exec(former) ?? [];
  return seed === undefined ? null : failureOfSeed(Number(seed), nested !== undefined);
};

const failureOfPreviews = async (): Promise<string | null> =>
  previewFault(await comparePreviews(PREVIEW_CASES, 1, 1));

/**
 * @returns the first failure in one line, or null when the mutant survived. `former` is that line
 * of a former hunt.
 */
export const hunt = async (
  rule: string,
  seeds: number,
  former: string | null,
): Promise<string | null> => {
  if (rule.includes(PREVIEW)) return failureOfPreviews();
  const again = former === null ? null : await failureOfFormer(former);
  if (again !== null) return again;
  for (const one of likeliestFirst(rule)) {
    const failure = await failureOfCase(one);
    if (failure !== null) return failure;
  }
  const broken = brokenBound(await storm({ resources: STORM_RESOURCES, seed: 1 }));
  if (broken !== null) return `the storm: ${broken}`;
  for (let seed = 1; seed <= seeds; seed++) {
    const failure =
      (await failureOfSeed(seed, false)) ??
      (seed % NESTED_EVERY === 0 ? await failureOfSeed(seed / NESTED_EVERY, true) : null);
    if (failure !== null) return failure;
  }
  return null;
};
