/**
 * Runs a project's requests with large answers one after another. Otherwise many half-made answers
 * would be in memory at once. Other projects do not wait for them.
 */

export type OneAtATime = <Result>(project: string, work: () => Promise<Result>) => Promise<Result>;

export const openOneAtATime = (): OneAtATime => {
  const last = new Map<string, Promise<unknown>>();
  return async (project, work) => {
    const former = last.get(project) ?? Promise.resolve();
    const own = former.then(work, work);
    last.set(project, own);
    try {
      return await own;
    } finally {
      if (last.get(project) === own) last.delete(project);
    }
  };
};
