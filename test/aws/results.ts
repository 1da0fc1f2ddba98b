import { openTally } from "../crash/tally.ts";
import { isForShortLocalStack } from "./emulators.ts";
import type { Lane, Story } from "./lane.ts";
import { paceText } from "./pace.ts";

export interface Part {
  readonly only?: string;
  readonly short: boolean;
  /** Selects what a short run on LocalStack leaves out. CI runs both at once. */
  readonly besideLocalStack: boolean;
}

export interface Results {
  readonly isShort: boolean;
  readonly isWhole: boolean;
  readonly isGreen: boolean;
  play(lane: Lane, story: Story): Promise<void>;
  inTurn(lane: Lane, stories: readonly Story[]): Promise<void>;
  check(name: string, wrong: readonly string[]): void;
  skip(name: string, reason: string): void;
  summary(): string;
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

export const LEFT_OUT = "a short run leaves it out";
const PLAYED_BESIDE = "a short run on LocalStack plays it";

export const openResults = ({ only, short, besideLocalStack }: Part): Results => {
  const tally = openTally();
  let skipped = 0;
  const check: Results["check"] = (name, wrong) => tally.report([{ name, wrong }]);
  const skip: Results["skip"] = (name, reason) => {
    skipped += 1;
    console.log(`skipped: ${reason} (${name})`);
  };
  const play: Results["play"] = async (lane, story) => {
    if (only !== undefined && !story.name.includes(only)) return;
    if (short && story.isLong) return skip(story.name, LEFT_OUT);
    if (besideLocalStack && isForShortLocalStack(story)) return skip(story.name, PLAYED_BESIDE);
    const [reason] = (story.needs ?? []).flatMap((need) => lane.lacks[need] ?? []);
    if (reason !== undefined) return skip(story.name, reason);
    const begun = performance.now();
    const wrong = await story.play(lane).then(
      () => [],
      (error: unknown) => [messageOf(error)],
    );
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    check(`${story.name} (${seconds} s at ${paceText()})`, wrong);
  };
  return {
    isWhole: only === undefined && !short && !besideLocalStack,
    isShort: short,
    get isGreen() {
      return tally.isGreen;
    },
    play,
    inTurn: async (lane, stories) => {
      for (const story of stories) await play(lane, story);
    },
    check,
    skip,
    summary: () => `${tally.passed} passed, ${tally.failed} failed, ${skipped} skipped`,
  };
};
