/** The hunt for a mutant: what is bundled with the mutated engine and run against it. */

import { ALL_DIRECTED } from "../directed/all.ts";
import type { Case } from "../directed/case.ts";
import { comparePreviews, previewFault } from "../random/previews.ts";
import { RandomRun } from "../random/random-run.ts";
import { brokenBound, storm } from "../random/storm.ts";
import { PREVIEW } from "./preview-mutants.ts";

const PREVIEW_CASES = 400;
const STORM_RESOURCES = 100;
/** A nested run follows after this many runs of a single stack. */
const NESTED_EVERY = 4;

const labelsOf = (text: string): ReadonlySet<string> =>
  new Set(text.match(/\b(?:[PSLDT]\d+(?:\.\d+)?|ADR \d+)\b/g));

/** Cases that share the most labels with the rule come first: they find most mutants. */
const likeliestFirst = (rule: string): readonly Case[] => {
  const wanted = labelsOf(rule);
  const sharedBy = ({ title }: Case): number =>
    [...labelsOf(title)].filter((label) => wanted.has(label)).length;
  return ALL_DIRECTED.toSorted((one, other) => sharedBy(other) - sharedBy(one));
};

/** Returns the first failure in one line, or null: the mutant survived. */
export const hunt = async (rule: string, seeds: number): Promise<string | null> => {
  if (rule.includes(PREVIEW)) return previewFault(await comparePreviews(PREVIEW_CASES));
  for (const { title, run } of likeliestFirst(rule)) {
    try {
      await run();
    } catch (error) {
      return `"${title}": ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  const broken = brokenBound(await storm({ resources: STORM_RESOURCES, seed: 1 }));
  if (broken !== null) return `the storm: ${broken}`;
  for (let seed = 1; seed <= seeds; seed++) {
    const { failure } = await new RandomRun(seed).run();
    if (failure !== null) return `seed ${seed}: ${failure.split("\n")[0]}`;
    if (seed % NESTED_EVERY !== 0) continue;
    const nestedSeed = seed / NESTED_EVERY;
    const nested = await new RandomRun(nestedSeed, { nested: true }).run();
    if (nested.failure !== null)
      return `nested seed ${nestedSeed}: ${nested.failure.split("\n")[0]}`;
  }
  return null;
};
