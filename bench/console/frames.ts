/** What a trace of Chromium says of each frame of a page. */
import { z } from "zod";

const US_PER_MS = 1_000;
/** Once a frame, when the page's main thread hands its work to the compositor. */
const COMMIT = "BeginCommitCompositorFrame";
const TASK = "RunTask";

/** What the trace must hold. */
export const CATEGORIES = [
  "disabled-by-default-devtools.timeline",
  "devtools.timeline",
  "toplevel",
];

const Trace = z.object({
  traceEvents: z.array(
    z.looseObject({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      ts: z.number(),
      /** Of the processor, in microseconds. */
      tdur: z.number().optional(),
    }),
  ),
});

/**
 * The processor time of the page's main thread in each frame: its scripts, layout and paint, in
 * milliseconds. Throws if the trace has no times of the processor.
 */
export const frameMsOf = (trace: string): readonly number[] => {
  const { traceEvents: events } = Trace.parse(JSON.parse(trace));
  const commits = events.filter(({ name }) => name === COMMIT);
  const [{ pid, tid } = { pid: 0, tid: 0 }] = commits;
  const isMain = (one: { pid: number; tid: number }): boolean => one.pid === pid && one.tid === tid;
  const ends = commits
    .filter(isMain)
    .map(({ ts }) => ts)
    .toSorted((one, other) => one - other);
  const tasks = events.filter((one) => one.name === TASK && isMain(one));
  if (tasks.every(({ tdur }) => tdur === undefined)) throw new Error("a trace without times");
  const sums = ends.map(() => 0);
  for (const { ts, tdur = 0 } of tasks) {
    // The task in which a frame ends has begun before.
    const at = ends.findIndex((end) => end >= ts);
    if (at >= 0) sums[at] = (sums[at] ?? 0) + tdur;
  }
  return sums.map((us) => us / US_PER_MS);
};
