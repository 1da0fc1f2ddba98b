import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/**
 * `next` returns undefined when no task is left. `onAnswer` gets the thread's message, unparsed.
 */
export const runOnThreads = async (
  script: URL,
  next: () => object | undefined,
  onAnswer: (answer: unknown) => void,
): Promise<void> => {
  const runThread = (): Promise<void> =>
    new Promise((done, fail) => {
      const worker = new Worker(script);
      const giveNext = (): void => {
        const task = next();
        if (task === undefined) void worker.terminate();
        else worker.postMessage(task);
      };
      worker.on("message", (answer: unknown) => {
        onAnswer(answer);
        giveNext();
      });
      worker.on("error", fail);
      worker.on("exit", () => done());
      giveNext();
    });
  await Promise.all(Array.from({ length: availableParallelism() }, runThread));
};
