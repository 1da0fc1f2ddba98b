import type { Limited, TimeLimit } from "#lib/ports/ports.ts";

const NOT_ANSWERED: Limited = { isAnswered: false };

export const callLimit = (): TimeLimit => {
  const running = new Map<string, { readonly answer: Promise<unknown>; abort(): void }>();

  const start = (key: string, call: (signal: AbortSignal) => Promise<unknown>) => {
    const controller = new AbortController();
    const answer = Promise.resolve()
      .then(() => call(controller.signal))
      .finally(() => running.delete(key));
    // If nobody waits for the call any more, its failure must not be an unhandled rejection.
    answer.catch(() => undefined);
    const started = { answer, abort: () => controller.abort() };
    running.set(key, started);
    return started;
  };

  return {
    wait: async (key, limitMs, call) => {
      const { answer, abort } = running.get(key) ?? start(key, call);
      let timer: NodeJS.Timeout | undefined;
      const end = new Promise<Limited>((resolve) => {
        timer = setTimeout(() => {
          abort();
          resolve(NOT_ANSWERED);
        }, limitMs);
      });
      const answered = answer.then((found): Limited => ({ isAnswered: true, answer: found }));
      return Promise.race([answered, end]).finally(() => clearTimeout(timer));
    },
  };
};
