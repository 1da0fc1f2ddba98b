import { openPatience, paceText } from "./pace.ts";

const LOOK_MS = 250;

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

export const eventually = async <Answer>(
  what: string,
  limitMs: number,
  look: () => Promise<Answer | null>,
): Promise<Answer> => {
  const patience = openPatience(limitMs);
  for (;;) {
    const answer = await look();
    if (answer !== null) return answer;
    if (patience.isOver())
      throw new Error(`not within ${limitMs / 1_000} s at ${paceText()}: ${what}`);
    await pause(LOOK_MS);
  }
};
