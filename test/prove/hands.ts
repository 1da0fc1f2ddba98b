/** The processors' hands: each takes the next task until there is none, and hands back what came of it. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** `next` answers undefined when nothing is left to do. `onAnswer` gets what the worker sent, unparsed. */
export const workOff = async (
  script: URL,
  next: () => object | undefined,
  onAnswer: (answer: unknown) => void,
): Promise<void> => {
  const hand = (): Promise<void> =>
    new Promise((done, fail) => {
      const worker = new Worker(script);
      const give = (): void => {
        const task = next();
        if (task === undefined) void worker.terminate();
        else worker.postMessage(task);
      };
      worker.on("message", (answer: unknown) => {
        onAnswer(answer);
        give();
      });
      worker.on("error", fail);
      worker.on("exit", () => done());
      give();
    });
  await Promise.all(Array.from({ length: availableParallelism() }, hand));
};
