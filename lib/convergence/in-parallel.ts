import { PARALLEL_CALLS_MAX } from "./limits.ts";

export const inParallel = async <T>(calls: readonly (() => Promise<T>)[]): Promise<T[]> => {
  const answers: T[] = [];
  for (let at = 0; at < calls.length; at += PARALLEL_CALLS_MAX) {
    const some = calls.slice(at, at + PARALLEL_CALLS_MAX);
    answers.push(...(await Promise.all(some.map((call) => call()))));
  }
  return answers;
};

/**
 * Begins the calls in their order while `goesOn`, and always the first one. A call begins as soon
 * as another has ended, so a slow one holds up no other.
 * @returns how many calls it has made.
 */
export const inParallelWhile = async (
  calls: Iterable<() => Promise<unknown>>,
  goesOn: () => boolean,
): Promise<number> => {
  let begun = 0;
  let isOver = false;
  const all = calls[Symbol.iterator]();
  const work = async (): Promise<void> => {
    while (begun === 0 || goesOn()) {
      const next = all.next();
      if (next.done === true) break;
      begun++;
      await next.value();
    }
    isOver = true;
  };
  const workers: Promise<void>[] = [];
  // Most visits have one call or none, so no more workers begin than there are calls.
  while (!isOver && workers.length < PARALLEL_CALLS_MAX) workers.push(work());
  await Promise.all(workers);
  return begun;
};
