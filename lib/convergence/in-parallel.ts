/** Runs independent calls at the same time, up to a limit. */
import { PARALLEL_CALLS_MAX } from "./limits.ts";

export const inParallel = async <T>(calls: readonly (() => Promise<T>)[]): Promise<T[]> => {
  const answers: T[] = [];
  for (let at = 0; at < calls.length; at += PARALLEL_CALLS_MAX) {
    const some = calls.slice(at, at + PARALLEL_CALLS_MAX);
    answers.push(...(await Promise.all(some.map((call) => call()))));
  }
  return answers;
};
