import { expect, it } from "vitest";
import { frameMsOf } from "../../../tools/bench/console/frames.ts";

const MAIN = { pid: 1, tid: 1 };
const task = (ts: number, tdur: number, place = MAIN) => ({ name: "RunTask", ts, tdur, ...place });
const commit = (ts: number) => ({ name: "BeginCommitCompositorFrame", ts, ...MAIN });
const trace = (...traceEvents: readonly object[]): string => JSON.stringify({ traceEvents });

it("a frame has the processor time of the main thread's tasks up to its commit", () => {
  const other = task(10, 9_000, { pid: 1, tid: 2 });
  const text = trace(task(0, 1_000), other, task(20, 2_000), commit(30), task(40, 500), commit(50));
  expect(frameMsOf(text)).toEqual([3, 0.5]);
});

it("a trace without times of the processor is refused", () => {
  expect(() => frameMsOf(trace({ name: "RunTask", ts: 0, ...MAIN }, commit(10)))).toThrow(/times/);
});
