import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

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
