/**
 * Work that can pause between its steps. A template may have thousands of resources, and other
 * requests should not wait for all of them.
 */

export type Steps<T> = Generator<undefined, T, undefined>;

export const finished = <T>(steps: Generator<unknown, T, undefined>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};
