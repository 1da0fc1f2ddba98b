/** Waits for what another process does, with a time limit. */
const LOOK_MS = 250;

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

/** Returns the first answer that is not null. Throws and names `what` if there is none in time. */
export const eventually = async <Answer>(
  what: string,
  limitMs: number,
  look: () => Promise<Answer | null>,
): Promise<Answer> => {
  const end = performance.now() + limitMs;
  for (;;) {
    const answer = await look();
    if (answer !== null) return answer;
    if (performance.now() > end) throw new Error(`not within ${limitMs / 1_000} s: ${what}`);
    await pause(LOOK_MS);
  }
};
