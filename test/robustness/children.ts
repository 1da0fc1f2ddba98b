/** One child process for each processor. One that dies or hangs costs one input, not the run. */
import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { type Batch, type Done, reportSchema } from "./messages.ts";

const SCRIPT = fileURLToPath(new URL("./child.ts", import.meta.url));
/** A request that needs more memory than this counts as unlimited, and fails. */
const HEAP_MIB_MAX = 768;
/** No input takes so long, even on a busy machine and when it is played three times. */
const INPUT_MS_MAX = 120_000;

export interface Work {
  readonly args: readonly string[];
  readonly next: () => Batch | undefined;
  readonly onDone: (done: Done, batch: Batch) => void;
  readonly onDeath: (number: number, how: string) => void;
}

interface Playing {
  batch: Batch;
  at: number;
}

const playInOne = (work: Work, first: Batch): Promise<Batch | null> =>
  new Promise((resolve) => {
    const child: ChildProcess = fork(SCRIPT, work.args, {
      execArgv: [`--max-old-space-size=${HEAP_MIB_MAX}`],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const playing: Playing = { batch: first, at: first.from };
    let how: string | null = null;
    let isOver = false;
    const kill = (): void => {
      how = `takes more than ${INPUT_MS_MAX / 1_000} s`;
      child.kill("SIGKILL");
    };
    let timer = setTimeout(kill, INPUT_MS_MAX);
    const give = (batch: Batch): void => {
      playing.batch = batch;
      playing.at = batch.from;
      child.send(batch);
    };
    child.on("message", (sent: unknown) => {
      const report = reportSchema.parse(sent);
      clearTimeout(timer);
      timer = setTimeout(kill, INPUT_MS_MAX);
      if ("at" in report) {
        playing.at = report.at;
        return;
      }
      work.onDone(report.done, playing.batch);
      const following = work.next();
      if (following !== undefined) return give(following);
      isOver = true;
      child.disconnect();
    });
    child.on("exit", (code, signal) => {
      clearTimeout(timer);
      if (isOver) return resolve(null);
      work.onDeath(playing.at, how ?? `kills its process (${signal ?? `exit code ${code}`})`);
      // The child's counts are lost with it, so the other inputs of its batch are played again.
      resolve(playing.batch);
    });
    give(first);
  });

const around = ({ from, count }: Batch, deadly: number): readonly Batch[] =>
  [
    { from, count: deadly - from },
    { from: deadly + 1, count: from + count - deadly - 1 },
  ].filter((batch) => batch.count > 0);

export const playOnChildren = async (work: Work): Promise<void> => {
  const again: Batch[] = [];
  const next = (): Batch | undefined => again.pop() ?? work.next();
  const oneAfterAnother = async (): Promise<void> => {
    for (let batch = next(); batch !== undefined; batch = next()) {
      let deadly = batch.from;
      const left = await playInOne(
        {
          ...work,
          next,
          onDeath: (number, how) => {
            deadly = number;
            work.onDeath(number, how);
          },
        },
        batch,
      );
      if (left !== null) again.push(...around(left, deadly));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, oneAfterAnother));
};
