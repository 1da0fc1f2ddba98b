import { progress } from "../progress.ts";
import { groupLife, LIVES } from "./group-life.ts";

/** One broken rule may fail very many lives. */
const FAILURES_MAX = 20;

export const liveGroups = async (livesMax: number, from = 1): Promise<number> => {
  const bar = progress(livesMax, 0, "lives of groups");
  let failed = 0;
  let lives = 0;
  for (; lives < livesMax && failed < FAILURES_MAX; lives++) {
    const kind = LIVES[lives % LIVES.length];
    if (kind === undefined) break;
    const failure = await groupLife(from + Math.floor(lives / LIVES.length), kind);
    if (failure !== null) {
      failed += 1;
      console.log(failure);
    }
    bar.show(lives + 1, `${failed} failed`);
  }
  bar.end();
  console.log(`${lives.toLocaleString("en")} lives of groups; ${failed} failed`);
  return failed;
};
