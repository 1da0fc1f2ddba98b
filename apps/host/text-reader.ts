/**
 * Parses large texts in threads of their own. Half a megabyte of YAML takes a second, and no other
 * request may wait for that. The shortest text is read first. One of the two threads takes no text
 * that is longer than a template, so a long file cannot delay a template.
 */
import { Worker } from "node:worker_threads";
import * as z from "zod";
import { TEMPLATE_BYTES_MAX } from "#lib/engine/stacks/target-source.ts";
import { RetryLater } from "#lib/errors.ts";
import { parseJson } from "#lib/json.ts";
import { json as jsonValue } from "#lib/json-schema.ts";
import type { TextReading } from "#lib/model/text-reading.ts";
import type { TextReader } from "#lib/ports/ports.ts";
import { textProgram } from "./text-program.ts";

const WAITING_CHARS_MAX = 64 * 1_024 * 1_024;
/**
 * @limit reading one text of 64 KB or more
 * @beyond 400
 */
const READ_MS_MAX = 20_000;
/**
 * @limit memory for reading such a text
 * @beyond 400
 */
const THREAD_MEMORY_MB_MAX = 1_024;
/** An idle thread is stopped, because it uses about 20 MB. */
const IDLE_MS_MAX = 60_000;

const readingSchema: z.ZodType<TextReading> = z.union([
  z.object({ document: jsonValue }),
  z.object({ problem: z.string() }),
]);

interface Task {
  readonly text: string;
  readonly done: (reading: TextReading) => void;
  readonly fail: (error: unknown) => void;
}

interface Lane {
  readonly charsMax: number;
  worker: Worker | null;
  task: Task | null;
  timer: NodeJS.Timeout | undefined;
}

export interface TextThreads extends TextReader {
  close(): void;
}

export interface TextThreadOptions {
  readonly readMsMax?: number;
  readonly waitingCharsMax?: number;
}

export const textThreads = ({
  readMsMax = READ_MS_MAX,
  waitingCharsMax = WAITING_CHARS_MAX,
}: TextThreadOptions = {}): TextThreads => {
  const lanes = [TEMPLATE_BYTES_MAX, Number.POSITIVE_INFINITY].map(idleLane);
  let waiting: readonly Task[] = [];

  const end = (lane: Lane, reading: TextReading): void => {
    clearTimeout(lane.timer);
    lane.task?.done(reading);
    lane.task = null;
    lane.timer = setTimeout(() => stop(lane), IDLE_MS_MAX);
    lane.timer.unref();
    begin(lane);
  };

  const begin = (lane: Lane): void => {
    const next = lane.task === null ? shortest(waiting, lane.charsMax) : null;
    if (next === null) return;
    waiting = waiting.filter((task) => task !== next);
    clearTimeout(lane.timer);
    lane.task = next;
    lane.worker ??= startThread((worker, answer) => {
      // A stopped thread may still deliver an answer.
      if (lane.worker !== worker) return;
      if ("dead" in answer) lane.worker = null;
      end(lane, "dead" in answer ? { problem: answer.dead } : answer);
    });
    lane.timer = setTimeout(() => {
      stop(lane);
      end(lane, { problem: `reading it takes longer than ${readMsMax} ms` });
    }, readMsMax);
    lane.worker.postMessage(next.text);
  };

  return {
    read: (text) =>
      new Promise((done, fail) => {
        const chars = waiting.reduce((sum, task) => sum + task.text.length, text.length);
        if (chars > waitingCharsMax) {
          fail(new RetryLater("too many texts wait to be read"));
          return;
        }
        waiting = [...waiting, { text, done, fail }];
        for (const lane of lanes) begin(lane);
      }),
    close: () => {
      const closed = new RetryLater("the host stops");
      const tasks = [...waiting, ...lanes.flatMap(({ task }) => task ?? [])];
      waiting = [];
      for (const { fail } of tasks) fail(closed);
      for (const lane of lanes) stop(lane);
    },
  };
};

const idleLane = (charsMax: number): Lane => ({
  charsMax,
  worker: null,
  task: null,
  timer: undefined,
});

const shortest = (tasks: readonly Task[], charsMax: number): Task | null =>
  tasks.reduce<Task | null>((best, task) => {
    if (task.text.length > charsMax) return best;
    return best === null || task.text.length < best.text.length ? task : best;
  }, null);

interface Death {
  readonly dead: string;
}

const startThread = (answer: (worker: Worker, what: TextReading | Death) => void): Worker => {
  const worker = new Worker(textProgram.code, {
    eval: textProgram.isText,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB_MAX },
  });
  worker.unref();
  worker.on("message", (json: string) => {
    answer(worker, readingSchema.parse(parseJson(json)));
  });
  worker.on("error", () => {
    answer(worker, { dead: `reading it takes more than ${THREAD_MEMORY_MB_MAX} MB of memory` });
  });
  return worker;
};

const stop = (lane: Lane): void => {
  const { worker } = lane;
  clearTimeout(lane.timer);
  lane.worker = null;
  worker?.terminate().catch(() => undefined);
};
