import { z } from "zod";

const US_PER_MS = 1_000;
/** Happens once per frame, when the main thread hands its work to the compositor. */
const COMMIT = "BeginCommitCompositorFrame";
const TASK = "RunTask";

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
      /** Processor time in microseconds. */
      tdur: z.number().optional(),
    }),
  ),
});

/**
 * The processor time of the main thread per frame in milliseconds: scripts, layout and paint.
 * @throws when the trace has no processor times.
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
    // A task counts for the frame that ends after its start.
    const at = ends.findIndex((end) => end >= ts);
    if (at >= 0) sums[at] = (sums[at] ?? 0) + tdur;
  }
  return sums.map((us) => us / US_PER_MS);
};
